; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Row filtering that does not stop before it is done: US 7,079,145, Example 8, checked on all rows.
;
; Rows of which neither body changed by more than the mark threshold in the sweep before, or has a
; row that breaks its boxing condition by more, are passed over. As printed the loop stops when the
; rows that were processed pass, see filter-literal.s. Here a first pass is then run again, over all
; rows and without changing them: if it passes the residual is true, and the program stops; if not,
; the rows that failed tag their bodies, and the sweeps go on from there.
;
; Rows are of the full form: thresholds are compared with changes of velocity. The patent leaves the
; norm of dv open; it is the largest element here. Friction rules and budget as in boxed.s.
;
; In:  a0 rows, a1 most sweeps, a2 bits of Thres (float32, not negative), a3 friction rule, a4 bits
;      of the mark threshold, a7 budget.
; Out: progress = finished sweeps; the last residual read is true if it is not above Thres.

        budget  a7
        li      t0, 0                   ; finished sweeps
        setmark a4
        tagall                          ; new_v_tag = 1
probe:  bne     a3, zero, skip1
        kernel  probe_clamp
        j       look
skip1:  kernel  probe_skip
look:   rows    zero, a0                ; (23)  max_u of f and v as they are, over all rows
        rdmax   t1
        rdlate  t2
        bne     t2, zero, done          ; (the budget is spent)
        bgeu    a2, t1, done            ; while Thres < max_u
        bgeu    t0, a1, done            ;       and sweeps are left
        bne     a3, zero, skip2
        kernel  sweep_clamp
        j       sweep
skip2:  kernel  sweep_skip
sweep:  tagnext                         ;   cur_v_tag = new_v_tag;  new_v_tag = 0
        rows    zero, a0                ;   while i != m
        rdmax   t1                      ;   max_u of this sweep; max_u := 0 for the next
        rdlate  t2
        bne     t2, zero, done          ;   a sweep cut short does not count
        addi    t0, t0, 1
        bgeu    a2, t1, probe           ; while Thres < max_u
        bltu    t0, a1, sweep
done:   signal  t0
        halt

.kernel probe_clamp                     ; residual and tags only: f and v stay
        ldrow   r
        ldvel   v, r.ia, r.ib
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (24)
        resid   u, r.x, lo, hi          ; (23)
        mark    u, r.x, lo, hi          ; new_v_tag of rows that break their condition
.end

.kernel probe_skip
        ldrow   r
        ldvel   v, r.ia, r.ib
        skip    r.xp
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (24)
        resid   u, r.x, lo, hi          ; (23)
        mark    u, r.x, lo, hi          ; new_v_tag of rows that break their condition
.end

.kernel sweep_clamp
        ldrow   r                       ; row i, f_i, and i := i + 1
        tagged  r.ia, r.ib              ; (32)  unless cur_v_tag of I(i,1) or I(i,2): next row
        ldvel   v, r.ia, r.ib
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (33)  u_i
        step    t, r.x, r.d, u
        med     x, lo, t, hi            ; newf := med(lo_i, f_i - a_ii^-1 u_i, hi_i)
        sub     dx, x, r.x
        resid   u, x, lo, hi            ; max_u over the rows that are processed
        axpy    v, dx, r.JM             ; (34)-(37)  dv = (newf - f_i) J_Mik; v := v + dv
        mark    u, x, dx, lo, hi        ; new_v_tag: where dv or u are large
        stvel   v, r.ia, r.ib
        stimp   x
.end

.kernel sweep_skip
        ldrow   r                       ; row i, f_i, and i := i + 1
        tagged  r.ia, r.ib              ; (32)  unless cur_v_tag of I(i,1) or I(i,2): next row
        ldvel   v, r.ia, r.ib
        skip    r.xp
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (33)  u_i
        step    t, r.x, r.d, u
        med     x, lo, t, hi            ; newf := med(lo_i, f_i - a_ii^-1 u_i, hi_i)
        sub     dx, x, r.x
        resid   u, x, lo, hi            ; max_u over the rows that are processed
        axpy    v, dx, r.JM             ; (34)-(37)  dv = (newf - f_i) J_Mik; v := v + dv
        mark    u, x, dx, lo, hi        ; new_v_tag: where dv or u are large
        stvel   v, r.ia, r.ib
        stimp   x
.end

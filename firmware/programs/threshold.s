; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Projected Gauss-Seidel that stops at a residual: US 7,079,145, Pseudo-Code Example 6.
;
; A first pass finds max_u at the start; then sweeps run while Thres < max_u, at most a1 of them.
; The patent starts from f = v = 0, where u is b, so its first pass looks at b alone; this one
; computes (24), which also holds for a warm start. A sweep takes u_i before the rows behind i have
; moved v, so its max_u is not yet the residual of what it leaves: when it passes, the first pass
; is run again, and the sweeps go on unless that passes, too. `resid` raises max_u to |u_i| where
; row i breaks its boxing condition, (4)-(7). The patent lets a row inside its bounds count only
; where |u_i| > Thres; a smaller |u_i| cannot decide Thres < max_u, so the hardware needs no
; threshold. Sweeps overlap while they go on. Friction rules and budget as in boxed.s; a skipped
; row counts in no residual.
;
; In:  a0 rows, a1 most sweeps, a2 bits of Thres (float32, not negative), a3 friction rule, a7
;      budget.
; Out: progress = finished sweeps; the last residual read is true if it is not above Thres.

        budget  a7
        li      t0, 0                   ; finished sweeps
probe:  bne     a3, zero, skip1
        kernel  probe_clamp
        j       look
skip1:  kernel  probe_skip
look:   rows    zero, a0                ; (23)  max_u of f and v as they are
        rdmax   t1
        rdlate  t2
        bne     t2, zero, done          ; (the budget is spent)
        bgeu    a2, t1, done            ; while Thres < max_u       (order of float32 bits)
        bgeu    t0, a1, done            ;       and sweeps are left
        bne     a3, zero, skip2
        kernel  sweep_clamp
        j       sweep
skip2:  kernel  sweep_skip
sweep:  rows    zero, a0                ;   while i != m
        addi    t0, t0, 1
        rdlate  t2
        bne     t2, zero, last          ;   (the budget is spent)
        beq     t0, a1, last
        bmax    a2, sweep               ; while Thres < max_u: known long before the sweep ends
last:   rdmax   t1                      ;   max_u of the final sweep
        rdlate  t2
        sub     t0, t0, t2              ;   sweeps cut short do not count
        bne     t2, zero, done
        bgeu    a2, t1, probe
done:   signal  t0
        halt

.kernel probe_clamp                     ; residual only: f and v stay
        ldrow   r
        ldvel   v, r.ia, r.ib
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (24)
        resid   u, r.x, lo, hi          ; (23)
.end

.kernel probe_skip
        ldrow   r
        ldvel   v, r.ia, r.ib
        skip    r.xp
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (24)
        resid   u, r.x, lo, hi          ; (23)
.end

.kernel sweep_clamp
        ldrow   r                       ; row i, f_i, and i := i + 1
        ldvel   v, r.ia, r.ib           ; v_I(i,1), v_I(i,2)
        soft    b, r.b, r.cfm, r.x      ; b_i, with cfm x_i where a row has compliance
        cone    lo, hi, r.mu, r.xp      ; lo_i, hi_i
        dot     u, r.J, v, b            ; (24)  u_i = b_i + J_i1 . v_I(i,1) + J_i2 . v_I(i,2)
        step    t, r.x, r.d, u          ; (25)  f_i - a_ii^-1 u_i
        med     x, lo, t, hi            ; (25)  newf := med(lo_i, ..., hi_i)
        sub     dx, x, r.x              ; newf - f_i
        resid   u, x, lo, hi            ; (23)  max_u
        axpy    v, dx, r.JM             ; v_I(i,k) := v_I(i,k) + (newf - f_i) J_Mik
        stvel   v, r.ia, r.ib
        stimp   x                       ; f_i := newf
.end

.kernel sweep_skip
        ldrow   r
        ldvel   v, r.ia, r.ib
        skip    r.xp
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (24)
        step    t, r.x, r.d, u          ; (25)
        med     x, lo, t, hi            ; (25)
        sub     dx, x, r.x
        resid   u, x, lo, hi            ; (23)
        axpy    v, dx, r.JM
        stvel   v, r.ia, r.ib
        stimp   x
.end

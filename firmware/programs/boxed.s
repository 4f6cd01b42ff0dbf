; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Projected Gauss-Seidel with bounds and a fixed number of sweeps: US 7,079,145, Example 5.
;
; Example 5 is Example 4 with newf := med(lo, ..., hi) instead of max(0, ...); med is (25) of
; Example 6. The patent's f is x here, a_ii^-1 is r.d. A friction row, one with a parent, takes
; hi = mu max(0, x_parent) and lo = -hi just before its update. Two rules for it:
;   clamp  no more than that;
;   skip   while x_parent <= 0 the row changes nothing, as in the Bullet engine.
; From a7 cycles after the first instruction on (0: never) no row begins: what has been reached by
; then is the answer.
;
; In:  a0 rows, a1 sweeps, a3 friction rule (0 clamp, 1 skip), a7 budget.
; Out: progress = finished sweeps.

        budget  a7
        li      t0, 0                   ; x := 0                    (the patent counts sweeps in x)
        beq     a1, zero, done          ; while x != numIterations
        bne     a3, zero, skip
        kernel  boxed_clamp
        j       sweep
skip:   kernel  boxed_skip
sweep:  rows    zero, a0                ;   while i != m
        addi    t0, t0, 1               ;   x := x + 1
        rdlate  t1
        bne     t1, zero, late          ;   (the budget is spent)
        bltu    t0, a1, sweep           ; endwhile
late:   wait
        rdlate  t1
        sub     t0, t0, t1              ; sweeps cut short do not count
done:   signal  t0
        halt

.kernel boxed_clamp
        ldrow   r                       ; row i, f_i, and i := i + 1
        ldvel   v, r.ia, r.ib           ; v_I(i,1), v_I(i,2)
        soft    b, r.b, r.cfm, r.x      ; b_i, with cfm x_i where a row has compliance
        cone    lo, hi, r.mu, r.xp      ; lo_i, hi_i
        dot     u, r.J, v, b            ; (24)  u_i = b_i + J_i1 . v_I(i,1) + J_i2 . v_I(i,2)
        step    t, r.x, r.d, u          ; (25)  f_i - a_ii^-1 u_i
        med     x, lo, t, hi            ; (25)  newf := med(lo_i, ..., hi_i)
        sub     dx, x, r.x              ; (21), (22)  newf - f_i
        axpy    v, dx, r.JM             ; (21), (22)  v_I(i,k) := v_I(i,k) + (newf - f_i) J_Mik
        stvel   v, r.ia, r.ib
        stimp   x                       ; f_i := newf
.end

.kernel boxed_skip                      ; the same, and
        ldrow   r
        ldvel   v, r.ia, r.ib
        skip    r.xp                    ; nothing happens while x_parent <= 0
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (24)
        step    t, r.x, r.d, u          ; (25)
        med     x, lo, t, hi            ; (25)
        sub     dx, x, r.x              ; (21), (22)
        axpy    v, dx, r.JM             ; (21), (22)
        stvel   v, r.ia, r.ib
        stimp   x
.end

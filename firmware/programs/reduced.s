; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Projected Gauss-Seidel on rows of the reduced form: US 7,079,145, Pseudo-Code Example 7.
;
; With the masses divided between both sides, J^ = J M^-1/2 and v^ = M^1/2 v, (26) and (31), one
; matrix does the work of J and J_M, and a row takes 80 bytes instead of 128. The rows of the run
; are in the reduced form, and the velocities are v^: the driver converts what goes in and what
; comes back. Bounds and friction as in boxed.s; the patent prints max(0, ...) for newf.
;
; In:  a0 rows, a1 sweeps, a3 friction rule (0 clamp, 1 skip), a7 budget.
; Out: progress = finished sweeps.

        budget  a7
        li      t0, 0                   ; x := 0                    (the patent counts sweeps in x)
        beq     a1, zero, done          ; while x != numIterations
        bne     a3, zero, skip
        kernel  reduced_clamp
        j       sweep
skip:   kernel  reduced_skip
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

.kernel reduced_clamp
        ldrow   r                       ; row i, f_i, and i := i + 1
        ldvel   v, r.ia, r.ib           ; v^_I(i,1), v^_I(i,2)
        soft    b, r.b, r.cfm, r.x      ; b_i, with cfm x_i where a row has compliance
        cone    lo, hi, r.mu, r.xp      ; lo_i, hi_i
        dot     u, r.J, v, b            ; (28)  b_i + J^_i1 . v^_I(i,1) + J^_i2 . v^_I(i,2)
        step    t, r.x, r.d, u          ; (28)  f_i - a_ii^-1 (...)
        med     x, lo, t, hi            ; (28)  newf, with bounds
        sub     dx, x, r.x              ; (29), (30)  newf - f_i
        axpy    v, dx, r.J              ; (29), (30)  v^_I(i,k) := v^_I(i,k) + (newf - f_i) J^_ik
        stvel   v, r.ia, r.ib
        stimp   x                       ; f_i := newf
.end

.kernel reduced_skip                    ; the same, and
        ldrow   r
        ldvel   v, r.ia, r.ib
        skip    r.xp                    ; nothing happens while x_parent <= 0
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b            ; (28)
        step    t, r.x, r.d, u          ; (28)
        med     x, lo, t, hi            ; (28)
        sub     dx, x, r.x              ; (29), (30)
        axpy    v, dx, r.J              ; (29), (30)
        stvel   v, r.ia, r.ib
        stimp   x
.end

; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Projected Gauss-Seidel with a fixed number of sweeps: US 7,079,145, Pseudo-Code Example 4.
;
; The patent's f is x here, its a_ii^-1 is r.d, J and J_M are the compressed rows r.J and r.JM, and
; I(i,1), I(i,2) are the body indices r.ia and r.ib. Every row has the bounds 0 <= x < infinity:
; lo, hi and the parent of a row are not looked at.
;
; In:  a0 rows, a1 sweeps, a7 budget.        Out: progress = finished sweeps.

        budget  a7
        li      t0, 0                   ; x := 0                    (the patent counts sweeps in x)
        beq     a1, zero, done          ; while x != numIterations
        kernel  pgs
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

.kernel pgs
        ldrow   r                       ; row i, f_i, and i := i + 1
        ldvel   v, r.ia, r.ib           ; v_I(i,1), v_I(i,2)
        soft    b, r.b, r.cfm, r.x      ; b_i, with cfm x_i where a row has compliance
        dot     u, r.J, v, b            ; (20)  b_i + J_i1 . v_I(i,1) + J_i2 . v_I(i,2)
        step    t, r.x, r.d, u          ; (20)  f_i - a_ii^-1 (...)
        max     x, 0, t                 ; (20)  newf := max(0, ...)
        sub     dx, x, r.x              ; (21), (22)  newf - f_i
        axpy    v, dx, r.JM             ; (21), (22)  v_I(i,k) := v_I(i,k) + (newf - f_i) J_Mik
        stvel   v, r.ia, r.ib
        stimp   x                       ; f_i := newf
.end

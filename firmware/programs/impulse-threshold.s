; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Bullet's sequential impulse solver with its test for termination.
;
; impulse.s, and after each sweep the largest |dx|/d: its square is what Bullet 3.24 compares with
; m_leastSquaresResidualThreshold. Bullet divides in double precision and rounds to float32, this is
; a float32 division: the same number, but for subnormal ones, whose squares are 0.
;
; In:  a0 rows, a1 most sweeps, a2 bits of the largest |dx|/d to stop at (float32), a3 friction
;      rule, a7 budget.
; Out: progress = finished sweeps; the last residual read is that of the final sweep.

        budget  a7
        li      t0, 0                   ; finished sweeps
        beq     a1, zero, done
        bne     a3, zero, skip
        kernel  impulse_clamp
        j       sweep
skip:   kernel  impulse_skip
sweep:  rows    zero, a0
        addi    t0, t0, 1
        rdlate  t1
        bne     t1, zero, last          ; (the budget is spent)
        beq     t0, a1, last
        bmax    a2, sweep               ; while a row is above: known long before the sweep ends
last:   rdmax   t1                      ; of the final sweep
        rdlate  t1
        sub     t0, t0, t1              ; sweeps cut short do not count
done:   signal  t0
        halt

.kernel impulse_clamp
        ldrow   r
        ldvel   dv, r.ia, r.ib
        relax   c, r.b, r.cfm, r.x      ; (20)  rhs - x cfm
        dotp    q, r.J, dv              ; (20)  q1 = J_i1 . v_I(i,1), q2 = J_i2 . v_I(i,2)
        corr    delta, c, r.d, q        ; (20)  delta = (c - q1 d) - q2 d
        acc     sum, r.x, delta         ; (20)  sum = x + delta
        cone    lo, hi, r.mu, r.xp      ; lo, hi of a friction row
        limit   x, dx, lo, sum, hi, delta  ; (25) clamp of sum, with the delta that belongs to it
        resid   dx, r.d                 ; |dx|/d
        axpy    dv, dx, r.JM            ; (21), (22)
        stvel   dv, r.ia, r.ib
        stimp   x
.end

.kernel impulse_skip                    ; the same, and
        ldrow   r
        ldvel   dv, r.ia, r.ib
        skip    r.xp                    ; nothing happens while x_parent <= 0
        relax   c, r.b, r.cfm, r.x
        dotp    q, r.J, dv
        corr    delta, c, r.d, q
        acc     sum, r.x, delta
        cone    lo, hi, r.mu, r.xp
        limit   x, dx, lo, sum, hi, delta
        resid   dx, r.d
        axpy    dv, dx, r.JM
        stvel   dv, r.ia, r.ib
        stimp   x
.end

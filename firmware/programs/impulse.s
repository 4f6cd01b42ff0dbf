; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; The update of Bullet's sequential impulse solver, in its own order of operations.
;
; The rows hold what Bullet stores: r.b is m_rhs, r.d is m_jacDiagABInv, r.cfm is m_cfm, r.x is
; m_appliedImpulse; v is the change of velocity. It is (20)-(22) of US 7,079,145 with bounds in
; another order of rounding: b and cfm come multiplied by -d and d. Friction rules as in boxed.s;
; Bullet's is skip.
;
; In:  a0 rows, a1 sweeps, a3 friction rule (0 clamp, 1 skip), a7 budget.
; Out: progress = finished sweeps.

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
        bne     t1, zero, late          ; (the budget is spent)
        bltu    t0, a1, sweep
late:   wait
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
        axpy    dv, dx, r.JM
        stvel   dv, r.ia, r.ib
        stimp   x
.end

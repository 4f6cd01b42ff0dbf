; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Projected Gauss-Seidel with a number of sweeps for each of three classes of rows.
;
; Say 20 for joints and 10 for contacts and friction: boxed.s, of which sweep s, from 0, visits a
; class while s is less than its sweeps. So does the Bullet engine with the
; m_overrideNumSolverIterations of its joints.
;
; A class is a range of rows: the first a4, the next a6, and the rest. Friction rules and budget as
; in boxed.s.
;
; In:  a0 rows, a3 friction rule, a7 budget; rows and sweeps of the classes: a4 and a5, a6 and a2,
;      the rest and a1.
; Out: progress = finished sweeps: the most of a class that has rows, unless the budget is spent.

        budget  a7
        li      t0, 0                   ; finished sweeps
        add     t2, a4, a6              ; the rest begins here
        sub     t3, a0, t2              ; and has as many rows
        bne     a4, zero, first         ; classes without rows take no sweep
        li      a5, 0
first:  bne     a6, zero, second
        li      a2, 0
second: bne     t3, zero, rest
        li      a1, 0
rest:   bne     a3, zero, skip
        kernel  boxed_clamp
        j       sweep
skip:   kernel  boxed_skip

sweep:  li      t4, 0                   ; passes of this sweep
        bgeu    t0, a5, sweep1
        rows    zero, a4
        li      t4, 1
sweep1: bgeu    t0, a2, sweep2
        rows    a4, a6
        li      t4, 1
sweep2: bgeu    t0, a1, swept
        rows    t2, t3
        li      t4, 1
swept:  beq     t4, zero, done          ; every class has had its sweeps
        addi    t0, t0, 1
        rdlate  t1
        beq     t1, zero, sweep         ; (the budget is spent)

done:   wait
        rdlate  t1                      ; passes cut short: the last ones
count:  beq     t1, zero, end           ; their sweeps do not count
        addi    t0, t0, -1
        bgeu    t0, a1, count1          ; as many passes as sweep t0 had classes
        addi    t1, t1, -1
count1: beq     t1, zero, end
        bgeu    t0, a2, count2
        addi    t1, t1, -1
count2: beq     t1, zero, end
        bgeu    t0, a5, count
        addi    t1, t1, -1
        j       count
end:    signal  t0
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

; SPDX-License-Identifier: Apache-2.0
; SPDX-FileCopyrightText: The open PPU authors
; Projected Gauss-Seidel with Nesterov's extrapolation that stops at a residual: not in the patent.
;
; A sweep starts from y, which leads the impulses x of the sweep before in the direction of their
; last change,
;
;     y = x + beta (x - the x before),   and v with it,
;
; so that slow modes, a pile that sinks, a heavy body on a light one, come in far fewer sweeps.
; (Y. Nesterov, Soviet Math. Dokl. 27, 1983, for gradient steps; here each step is a whole sweep.)
; beta starts at 1/4 after the first sweep, and grows to 0.81 in 9 more: equal steps of its
; float32 bits, nearly those of (k-1)/(k+2). Where max_u of a sweep is above 4 times the smallest
; one so far, the lead led astray: the next sweep starts from x, and beta from 1/4 again.
; Termination is that of threshold.s: a sweep sees u before it is done, and from y, so a probe of x
; confirms. A row must not be held back, so there is neither the skip rule nor a budget here.
;
; In:  a0 rows, a1 most sweeps, a2 bits of Thres (float32, not negative).
; Out: progress = finished sweeps; the last residual read is true if it is not above Thres.

        li      t0, 0                   ; finished sweeps
        li      t3, 0x3e80              ; 1/4
        li      t4, 0x0018              ; what beta's bits grow by
        li      t5, 0x3f50              ; 0.8125, the largest beta
        li      t6, 0x0100              ; what the bits of 4 x are above those of x
        li      t1, 16
shift:  add     t3, t3, t3              ; all of them are upper halves
        add     t4, t4, t4
        add     t5, t5, t5
        add     t6, t6, t6
        addi    t1, t1, -1
        bne     t1, zero, shift

look:   settle
        kernel  probe
        rows    zero, a0                ; max_u of x as it is
        rdmax   t1
        bgeu    a2, t1, done            ; while Thres < max_u       (order of float32 bits)
        add     t2, t1, zero            ; the smallest max_u
        kernel  sweep
start:  add     a4, t3, zero            ; beta := 1/4
        bgeu    t0, a1, done
again:  setlead a4
        rows    zero, a0
        rdmax   t1                      ; max_u of this sweep
        addi    t0, t0, 1
        bgeu    a2, t1, look
        bgeu    t0, a1, done
        add     a5, t2, t6              ; 4 times the smallest
        bltu    a5, t1, astray
        bgeu    t1, t2, onward
        add     t2, t1, zero
onward: ahead                           ; v := v + beta (v - the v before); y from here on
        add     a4, a4, t4
        bltu    a4, t5, again
        add     a4, t5, zero
        j       again
astray: add     t2, t1, zero
        settle                          ; x from here on
        j       start

done:   signal  t0
        halt

.kernel probe                           ; residual only: x and v stay
        ldrow   r
        ldvel   v, r.ia, r.ib
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b
        resid   u, r.x, lo, hi
.end

.kernel sweep
        ldrow   r
        ldvel   v, r.ia, r.ib           ; of y
        soft    b, r.b, r.cfm, r.x      ; r.x is y_i
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b
        step    t, r.x, r.d, u
        med     x, lo, t, hi
        lead    y, x, r.xs              ; for the next sweep: x + beta (x - the x before)
        sub     dx, x, r.x
        resid   u, x, lo, hi
        axpy    v, dx, r.JM
        stvel   v, r.ia, r.ib
        stimp   x, y
.end

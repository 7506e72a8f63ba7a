"""The one sum that annealing lives on, eight folds at a time.

Compilers find no vector form for this loop by themselves, so it is written with vectors: portable ones, which become
whatever the processor has. Each lane adds in the order of the labels, so the result is the same everywhere.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from optisplit.kernels.codes import LANES


@intrinsic
def sum_changes(
    _context: Any,
    indices: Any,
    begin: Any,
    end: Any,
    amounts: Any,
    stride: Any,
    weights: Any,
    table: Any,
    width: Any,
    own: Any,
    sums: Any,
) -> Any:
    """Sum over a unit's labels what it would change in a weighted sum of distances to enter each fold or leave its own.

    The distance of label i in fold j is ``abs(x)``, of which the table holds ``2 x``; m more positives there change
    it by ``abs(x + m) - abs(x)``, which is ``2 x + m`` clamped to [-m, m].

    indices: label of each entry; begin, end: the unit's entries; amounts: float32, positives of each entry (m); stride:
    1; or 0 where ``amounts[0]`` holds for every entry; weights: (n_labels,) float32, weight of each label; table:
    (n_labels * width,) float32, twice the signed distance of each label and fold; width: folds in a line of the table:
    a multiple of LANES; own: the unit's fold; sums: (width,) float32, set in place: the sum for entering each fold, as
    if the unit were in none. Returns the sum for leaving the fold `own`.
    """
    arguments = (indices, begin, end, amounts, stride, weights, table, width, own, sums)
    return types.float32(*arguments), _generate


def _generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Write the loop in the compiler's own terms."""
    single, word, half = ir.FloatType(), ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(single, LANES)
    zero = ir.Constant(word, 0)

    def data(which: int) -> Any:
        return context.make_array(signature.args[which])(context, builder, args[which]).data

    def spread(value: Any) -> Any:
        nothing = ir.Constant(vector, ir.Undefined)
        one = builder.insert_element(nothing, value, ir.Constant(half, 0))
        return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(half, LANES), [0] * LANES))

    def clamp(value: Any, low: Any, high: Any) -> Any:
        value = builder.select(builder.fcmp_ordered(">", value, low), value, low)
        return builder.select(builder.fcmp_ordered("<", value, high), value, high)

    def add(place: Any, value: Any) -> None:
        builder.store(builder.fadd(builder.load(place), value), place)

    def lanes(pointer: Any, at: Any) -> Any:
        return builder.bitcast(builder.gep(pointer, [at]), ir.PointerType(vector))

    indices, amounts, weights, table, sums = data(0), data(3), data(5), data(6), data(9)
    begin, end, stride, width, own = args[1], args[2], args[4], args[7], args[8]
    entering = cgutils.alloca_once(builder, vector)
    leaving = cgutils.alloca_once_value(builder, ir.Constant(single, 0.0))
    with cgutils.for_range_slice(builder, zero, width, ir.Constant(word, LANES), intp=word) as (block, _):
        builder.store(ir.Constant(vector, [0.0] * LANES), entering)
        with cgutils.for_range_slice(builder, begin, end, ir.Constant(word, 1), intp=word) as (at, _):
            label = builder.load(builder.gep(indices, [at]))
            if label.type != word:
                label = builder.zext(label, word)
            weight = builder.load(builder.gep(weights, [label]))
            amount = builder.load(builder.gep(amounts, [builder.mul(at, stride)]))
            line = builder.mul(label, width)
            twice = builder.load(lanes(table, builder.add(line, block)), align=4)
            most, least = spread(amount), spread(builder.fneg(amount))
            add(entering, builder.fmul(spread(weight), clamp(builder.fadd(twice, most), least, most)))
            with builder.if_then(builder.icmp_unsigned("==", block, zero)):
                there = builder.load(builder.gep(table, [builder.add(line, own)]))
                step = clamp(builder.fsub(amount, there), builder.fneg(amount), amount)
                add(leaving, builder.fmul(weight, step))
        builder.store(builder.load(entering), lanes(sums, block), align=4)
    return builder.load(leaving)

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
    first: Any,
    last: Any,
    own: Any,
    sums: Any,
) -> Any:
    """Sum over a unit's labels what it would change in a weighted sum of distances to enter each fold or leave its own.

    The distance of label i in fold j is ``abs(x)``, of which the table holds ``2 x``; m more positives there change
    it by ``abs(x + m) - abs(x)``, which is ``2 x + m`` clamped to [-m, m].

    indices: label of each entry; begin, end: the unit's entries; amounts: float32, positives of each entry (m); stride:
    1; or 0 where ``amounts[0]`` holds for every entry; weights: (n_labels,) float32, weight of each label; table:
    (n_labels * width,) float32, twice the signed distance of each label and fold; width: folds in a line of the table:
    a multiple of LANES; first, last: the folds to look at: the first is a multiple of LANES, and LANES folds are looked
    at in one step, even beyond the last; own: the unit's fold; sums: (width,) float32, set in place: the sum for
    entering each fold, as if the unit were in none. Returns the sum for leaving the fold `own`.
    """
    arguments = (indices, begin, end, amounts, stride, weights, table, width, first, last, own, sums)
    return types.float32(*arguments), _generate


@intrinsic
def sum_lines(
    _context: Any,
    indices: Any,
    begin: Any,
    end: Any,
    amounts: Any,
    table: Any,
    width: Any,
    first: Any,
    last: Any,
    sums: Any,
) -> Any:
    """Sum lines of a table, each times an amount.

    indices: line of each entry; begin, end: the entries; amounts: float32, one for each entry; table: (n_lines *
    width,) float32; width: numbers in a line: a multiple of LANES; first, last: as in :func:`sum_changes`; sums:
    (width,) float32, set in place.
    """
    arguments = (indices, begin, end, amounts, table, width, first, last, sums)
    return types.void(*arguments), _generate_sum_lines


class _Writer:
    """What both loops are written with, in the compiler's own terms."""

    single, word, half = ir.FloatType(), ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(single, LANES)

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.context, self.builder, self.signature, self.args = context, builder, signature, args

    def data(self, which: int) -> Any:
        array = self.context.make_array(self.signature.args[which])
        return array(self.context, self.builder, self.args[which]).data

    def spread(self, value: Any) -> Any:
        nothing = ir.Constant(self.vector, ir.Undefined)
        one = self.builder.insert_element(nothing, value, ir.Constant(self.half, 0))
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(self.half, LANES), [0] * LANES))

    def number(self, indices: Any, at: Any) -> Any:
        """Read an index as a whole word."""
        number = self.builder.load(self.builder.gep(indices, [at]))
        return number if number.type == self.word else self.builder.zext(number, self.word)

    def lanes(self, pointer: Any, at: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(pointer, [at]), ir.PointerType(self.vector))

    def add(self, place: Any, value: Any) -> None:
        self.builder.store(self.builder.fadd(self.builder.load(place), value), place)

    def each(self, begin: Any, end: Any, step: int = 1) -> Any:
        return cgutils.for_range_slice(self.builder, begin, end, ir.Constant(self.word, step), intp=self.word)


def _generate_sum_lines(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    indices, amounts, table, sums = (write.data(which) for which in (0, 3, 4, 8))
    begin, end, width, first, last = (args[which] for which in (1, 2, 5, 6, 7))
    total = cgutils.alloca_once(builder, write.vector)
    with write.each(first, last, LANES) as (block, _):
        builder.store(ir.Constant(write.vector, [0.0] * LANES), total)
        with write.each(begin, end) as (at, _):
            line = builder.mul(write.number(indices, at), width)
            values = builder.load(write.lanes(table, builder.add(line, block)), align=4)
            amount = write.spread(builder.load(builder.gep(amounts, [at])))
            write.add(total, builder.fmul(amount, values))
        builder.store(builder.load(total), write.lanes(sums, block), align=4)
    return context.get_dummy_value()


def _generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    single = write.single
    vector, spread, add = write.vector, write.spread, write.add

    def clamp(value: Any, low: Any, high: Any) -> Any:
        value = builder.select(builder.fcmp_ordered(">", value, low), value, low)
        return builder.select(builder.fcmp_ordered("<", value, high), value, high)

    indices, amounts, weights, table, sums = (write.data(which) for which in (0, 3, 5, 6, 11))
    begin, end, stride, width, first, last, own = (args[which] for which in (1, 2, 4, 7, 8, 9, 10))
    entering = cgutils.alloca_once(builder, vector)
    leaving = cgutils.alloca_once_value(builder, ir.Constant(single, 0.0))
    with write.each(first, last, LANES) as (block, _):
        builder.store(ir.Constant(vector, [0.0] * LANES), entering)
        with write.each(begin, end) as (at, _):
            label = write.number(indices, at)
            weight = builder.load(builder.gep(weights, [label]))
            amount = builder.load(builder.gep(amounts, [builder.mul(at, stride)]))
            line = builder.mul(label, width)
            twice = builder.load(write.lanes(table, builder.add(line, block)), align=4)
            most, least = spread(amount), spread(builder.fneg(amount))
            add(entering, builder.fmul(spread(weight), clamp(builder.fadd(twice, most), least, most)))
            with builder.if_then(builder.icmp_unsigned("==", block, first)):
                there = builder.load(builder.gep(table, [builder.add(line, own)]))
                step = clamp(builder.fsub(amount, there), builder.fneg(amount), amount)
                add(leaving, builder.fmul(weight, step))
        builder.store(builder.load(entering), write.lanes(sums, block), align=4)
    return builder.load(leaving)

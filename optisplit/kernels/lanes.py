"""The one sum that annealing lives on, eight folds at a time.

Compilers find no vector form for this loop by themselves, so it is written with vectors: portable ones, which become
whatever the processor has. Each lane adds in the order of the labels, so the result is the same everywhere.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from optisplit.kernels.codes import FROZEN, LANES

N_SQUARES = 12  # of the power that stands for an exponential


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
    scale: Any,
    base: Any,
    changes: Any,
) -> Any:
    """Sum over a unit's labels what it would change in a weighted sum of distances to leave its fold for each other.

    The distance of label i in fold j is ``abs(x)``, of which the table holds ``2 x``; m more positives there change
    it by ``abs(x + m) - abs(x)``, which is ``2 x + m`` clamped to [-m, m].

    indices: label of each entry; begin, end: the unit's entries; amounts: float32, positives of each entry (m); stride:
    1; or 0 where ``amounts[0]`` holds for every entry; weights: (n_labels,) float32, weight of each label; table:
    (n_labels * width,) float32, twice the signed distance of each label and fold; width: folds in a line of the table:
    a multiple of LANES; first, last: the folds to look at, the last excluded; others in the same LANES are looked at as
    well; own: the unit's fold; scale: (width,) float32, weight of each fold; base:
    (width,) float32, what the change is added to: zeros, or `changes` themselves; changes: (width,) float32, set in
    place: the change; 0 for the unit's own fold, if it is looked at.
    """
    arguments = (indices, begin, end, amounts, stride, weights, table, width, first, last, own, scale, base, changes)
    return types.void(*arguments), _generate_changes


@intrinsic
def add_prices(_context: Any, changes: Any, prices: Any, leaving: Any, own: Any) -> Any:
    """Add to each change the price of entering the fold and that of leaving the own one; find the least change.

    changes: (width,) float32, changed in place, but for the own fold's; prices: (width,) float32, of entering each
    fold: infinite beyond the last; leaving: float32; own: the unit's fold. Returns the least change of other folds.
    """
    return types.float32(changes, prices, leaving, own), _generate_prices


@intrinsic
def weigh_changes(_context: Any, changes: Any, least: Any, coldness: Any) -> Any:
    """Turn changes into the weights that folds have in thermal equilibrium.

    The weight is about ``exp((least - change) * coldness)``: ``(1 + step / 4096) ** 4096`` is the same on every
    machine, faster than exact, and within 2 % where it matters; 0 where that is as good as impossible.

    changes: (width,) float32, set in place; least: float32, no more than any of them; coldness: float32, one over the
    temperature. Returns the sum of the weights.
    """
    return types.float32(changes, least, coldness), _generate_weights


@intrinsic
def add_lines(
    _context: Any,
    indices: Any,
    begin: Any,
    end: Any,
    amounts: Any,
    table: Any,
    width: Any,
    first: Any,
    last: Any,
    own: Any,
    changes: Any,
) -> Any:
    """Add to each change a sum of lines of a table, each times an amount, less the own fold's.

    indices: line of each entry; begin, end: the entries; amounts: float32, one for each entry; table: (n_lines *
    width,) float32; width: numbers in a line: a multiple of LANES; first, last, own: as in :func:`sum_changes`;
    changes: (width,) float32, changed in place; 0 for the unit's own fold, if it is looked at.
    """
    arguments = (indices, begin, end, amounts, table, width, first, last, own, changes)
    return types.void(*arguments), _generate_lines


@intrinsic
def shift(_context: Any, changes: Any, factor: Any, term: Any) -> Any:
    """Multiply all changes by a factor and add a term.

    changes: (width,) float32, changed in place; factor, term: float32.
    """
    return types.void(changes, factor, term), _generate_shift


class _Writer:
    """What all loops are written with, in the compiler's own terms."""

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

    def start_of_block(self, fold: Any) -> Any:
        return self.builder.and_(fold, ir.Constant(self.word, -LANES))

    def lanes(self, pointer: Any, at: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(pointer, [at]), ir.PointerType(self.vector))

    def add(self, place: Any, value: Any) -> None:
        self.builder.store(self.builder.fadd(self.builder.load(place), value), place)

    def are(self, block: Any, own: Any) -> Any:
        """Tell which lane of a block is the own fold."""
        lanes = ir.VectorType(self.word, LANES)
        nothing, first = ir.Constant(lanes, ir.Undefined), ir.Constant(self.half, 0)
        at = self.builder.insert_element(nothing, self.builder.sub(own, block), first)
        at = self.builder.shuffle_vector(at, nothing, ir.Constant(ir.VectorType(self.half, LANES), [0] * LANES))
        return self.builder.icmp_unsigned("==", at, ir.Constant(lanes, list(range(LANES))))

    def unless(self, is_so: Any, values: Any, other: float) -> Any:
        """Give the values, but another one where something is so."""
        return self.builder.select(is_so, ir.Constant(self.vector, [other] * LANES), values)

    def fold(self, values: Any, joined: Any) -> Any:
        """Join all lanes into one number, halves by halves."""
        n_lanes = LANES
        while n_lanes > 1:
            n_lanes //= 2
            low, high = (
                self.builder.shuffle_vector(
                    values,
                    values,
                    ir.Constant(ir.VectorType(self.half, n_lanes), [start + at for at in range(n_lanes)]),
                )
                for start in (0, n_lanes)
            )
            values = joined(low, high)
        return self.builder.extract_element(values, ir.Constant(self.half, 0))

    def each_block(self, which: int) -> Any:
        """Go through an array LANES numbers at a time."""
        array = self.context.make_array(self.signature.args[which])(self.context, self.builder, self.args[which])
        return self.each(ir.Constant(self.word, 0), array.nitems, LANES)

    def each(self, begin: Any, end: Any, step: int = 1) -> Any:
        return cgutils.for_range_slice(self.builder, begin, end, ir.Constant(self.word, step), intp=self.word)


def _generate_lines(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    indices, amounts, table, changes = (write.data(which) for which in (0, 3, 4, 9))
    begin, end, width, first, last, own = (args[which] for which in (1, 2, 5, 6, 7, 8))
    first = write.start_of_block(first)
    total = cgutils.alloca_once(builder, write.vector)
    paid = cgutils.alloca_once(builder, write.single)
    builder.store(ir.Constant(write.single, 0.0), paid)
    with write.each(first, last, LANES) as (block, _):
        builder.store(ir.Constant(write.vector, [0.0] * LANES), total)
        with write.each(begin, end) as (at, _):
            line = builder.mul(write.number(indices, at), width)
            values = builder.load(write.lanes(table, builder.add(line, block)), align=4)
            amount = builder.load(builder.gep(amounts, [at]))
            write.add(total, builder.fmul(write.spread(amount), values))
            with builder.if_then(builder.icmp_unsigned("==", block, first)):
                there = builder.load(builder.gep(table, [builder.add(line, own)]))
                write.add(paid, builder.fmul(amount, there))
        place = write.lanes(changes, block)
        step = builder.fsub(builder.load(total), write.spread(builder.load(paid)))
        change = builder.fadd(builder.load(place, align=4), step)
        builder.store(write.unless(write.are(block, own), change, 0.0), place, align=4)
    return context.get_dummy_value()


def _generate_shift(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    changes, factor, term = write.data(0), write.spread(args[1]), write.spread(args[2])
    with write.each_block(0) as (block, _):
        place = write.lanes(changes, block)
        change = builder.fadd(builder.fmul(builder.load(place, align=4), factor), term)
        builder.store(change, place, align=4)
    return context.get_dummy_value()


def _generate_changes(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    single = write.single
    vector, spread, add = write.vector, write.spread, write.add

    def clamp(value: Any, low: Any, high: Any) -> Any:
        value = builder.select(builder.fcmp_ordered(">", value, low), value, low)
        return builder.select(builder.fcmp_ordered("<", value, high), value, high)

    indices, amounts, weights, table = (write.data(which) for which in (0, 3, 5, 6))
    scale, base, changes = (write.data(which) for which in (11, 12, 13))
    begin, end, stride, width, first, last, own = (args[which] for which in (1, 2, 4, 7, 8, 9, 10))
    first = write.start_of_block(first)
    entering, leaving = cgutils.alloca_once(builder, vector), cgutils.alloca_once(builder, single)
    builder.store(ir.Constant(single, 0.0), leaving)
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
        left = builder.fmul(builder.load(leaving), builder.load(builder.gep(scale, [own])))
        of_fold = builder.load(write.lanes(scale, block), align=4)
        change = builder.fadd(builder.fmul(builder.load(entering), of_fold), spread(left))
        change = builder.fadd(builder.load(write.lanes(base, block), align=4), change)
        builder.store(write.unless(write.are(block, own), change, 0.0), write.lanes(changes, block), align=4)
    return context.get_dummy_value()


def _generate_prices(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    changes, prices = write.data(0), write.data(1)
    leaving, own = write.spread(args[2]), args[3]
    least = cgutils.alloca_once_value(builder, ir.Constant(write.vector, [float("inf")] * LANES))
    with write.each_block(0) as (block, _):
        place = write.lanes(changes, block)
        price = builder.fadd(builder.load(write.lanes(prices, block), align=4), leaving)
        change, is_own = builder.fadd(builder.load(place, align=4), price), write.are(block, own)
        builder.store(write.unless(is_own, change, 0.0), place, align=4)
        change, lowest = write.unless(is_own, change, float("inf")), builder.load(least)
        builder.store(builder.select(builder.fcmp_ordered("<", change, lowest), change, lowest), least)
    return write.fold(builder.load(least), lambda x, y: builder.select(builder.fcmp_ordered("<", x, y), x, y))


def _generate_weights(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    write = _Writer(context, builder, signature, args)
    least, coldness, changes = write.spread(args[1]), write.spread(args[2]), write.data(0)
    total = cgutils.alloca_once_value(builder, ir.Constant(write.vector, [0.0] * LANES))
    with write.each_block(0) as (block, _):
        place = write.lanes(changes, block)
        step = builder.fmul(builder.fsub(least, builder.load(place, align=4)), coldness)
        steps = ir.Constant(write.vector, [1 / 2**N_SQUARES] * LANES)
        power = builder.fadd(builder.fmul(step, steps), ir.Constant(write.vector, [1.0] * LANES))
        for _square in range(N_SQUARES):
            power = builder.fmul(power, power)
        is_possible = builder.fcmp_ordered(">", step, ir.Constant(write.vector, [-FROZEN] * LANES))
        weight = builder.select(is_possible, power, ir.Constant(write.vector, [0.0] * LANES))
        builder.store(weight, place, align=4)
        write.add(total, weight)
    return write.fold(builder.load(total), builder.fadd)

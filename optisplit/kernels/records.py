"""Records of arrays and numbers that kernels are given by reference.

A kernel that is given forty arrays takes longer to compile than to run: the compiler takes each apart wherever all of
them are handed on. A record is one word; what it holds is read where it is used.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import sys
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.core.datamodel.models import PrimitiveModel
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, intrinsic, lower_getattr_generic, register_model, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

_WORD = ir.IntType(64)


@dataclasses.dataclass(frozen=True, eq=False)
class Record:
    """What a kernel is given by reference: a frozen dataclass of arrays, numbers, other records and other kernels.

    Arrays are contiguous. Their contents may change; which arrays and numbers they are may not. An array counts as one
    that may be written to, whether it can or not, so that a kernel is compiled once for both. A kernel in a record is
    compiled for that record and whole numbers (int64), and called by :func:`call`: what many kernels call is compiled
    once, not once more within each. It returns what its annotation says, which cannot be an array of the record: the
    record alone keeps it alive.
    """

    def __post_init__(self) -> None:
        """Write down where everything is, for kernels to read."""
        values = [getattr(self, field.name) for field in dataclasses.fields(self)]
        kind = _record_type(type(self), tuple(_key(value) for value in values))  # type: ignore[arg-type] # it is hashable
        words = np.array([word for value in values for word in _words(value, kind)], dtype=np.int64)
        object.__setattr__(self, "_words", words)  # kept alive
        object.__setattr__(self, "address", words.ctypes.data)
        object.__setattr__(self, "_numba_type_", kind)

    def __reduce__(self) -> tuple[Any, ...]:
        """Make copies anew: what they hold is elsewhere."""
        return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self))


@dataclasses.dataclass(frozen=True)
class Unused:
    """A kernel of a record that is not called, and so not compiled."""

    kernel: Any


class KernelType(types.Type):
    """What the compiler knows of a kernel in a record: what it returns, and how many numbers it takes."""

    def __init__(self, kernel: Any) -> None:
        returns = kernel.py_func.__annotations__["return"]
        self.returns = {"None": types.void, "bool": types.boolean, "int": types.int64, "float": types.float64}[returns]
        self.n_numbers = len(inspect.signature(kernel.py_func).parameters) - 1
        super().__init__(name=f"kernel of a record with {self.n_numbers} numbers that returns {returns}")


class RecordType(types.Type):
    """What the compiler knows of a record: its class, and the kinds of what it holds."""

    def __init__(self, cls: type[Record], kinds: tuple[Any, ...]) -> None:
        self.cls, self.kinds = cls, kinds
        names = [field.name for field in dataclasses.fields(cls)]
        digest = hashlib.sha256(repr((names, kinds)).encode()).hexdigest()[:16]
        super().__init__(name=f"{cls.__module__}.{cls.__name__}.{digest}")

    def find(self, name: str) -> tuple[Any, int] | None:
        """Find the kind of a value and its first word."""
        at = 0
        for field, kind in zip(dataclasses.fields(self.cls), self.kinds, strict=True):
            if field.name == name:
                return kind, at
            at += 1 + getattr(kind, "ndim", 0)
        return None


def _key(value: Any) -> Any:
    """Say of a value what its kind depends on."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim
    if isinstance(value, Record):
        return value._numba_type_  # type: ignore[attr-defined]
    if isinstance(value, Unused | Dispatcher):
        return value.kernel if isinstance(value, Unused) else value
    return type(value)


@cache
def _record_type(cls: type[Record], keys: tuple[Any, ...]) -> RecordType:
    return RecordType(cls, tuple(_kind(key) for key in keys))


def _kind(key: Any) -> Any:
    if isinstance(key, tuple):
        dtype, n_axes = key
        return types.Array(from_dtype(dtype), n_axes, "C")
    if isinstance(key, Dispatcher):
        return KernelType(key)
    return key if isinstance(key, RecordType) else typeof(key())


def _words(value: Any, record: RecordType) -> list[int]:
    """Write down an array's place and shape, where another record or a kernel is, or a number's bits."""
    if isinstance(value, np.ndarray):
        if not (value.flags.c_contiguous and value.flags.aligned):
            message = "arrays of a record have to be contiguous and aligned"
            raise ValueError(message)
        return [value.ctypes.data, *value.shape]
    if isinstance(value, Record):
        return [value.address]  # type: ignore[attr-defined]
    if isinstance(value, Unused | Dispatcher):
        return [0 if isinstance(value, Unused) else _address(value, record)]
    return [int.from_bytes(np.asarray(value).tobytes().ljust(8, b"\0"), sys.byteorder, signed=True)]


@cache
def _address(kernel: Any, record: RecordType) -> int:
    """Tell where a kernel is, compiled for a record and whole numbers."""
    kind = KernelType(kernel)
    arguments = (record, *[types.int64] * kind.n_numbers)
    kernel.compile(arguments)
    compiled = kernel.overloads[arguments]
    if compiled.signature.return_type != kind.returns:
        message = f"{kernel.__name__} returns {compiled.signature.return_type}, not {kind.returns}"
        raise TypeError(message)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


@intrinsic
def call(_context: Any, kernel: Any, record: Any, numbers: Any) -> Any:
    """Call a kernel of a record with the record and a tuple of whole numbers (int64), as many as it takes."""
    kinds = getattr(numbers, "types", None)  # of a tuple
    is_of_record = isinstance(record, RecordType) and kernel in record.kinds
    if is_of_record and kinds is not None and list(kinds) == [types.int64] * kernel.n_numbers:
        return kernel.returns(kernel, record, numbers), _generate_call
    return None


def _generate_call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    arguments = (signature.args[1], *signature.args[2])
    returns, convention = signature.return_type, context.call_conv
    place = builder.inttoptr(args[0], convention.get_function_type(returns, arguments).as_pointer())
    values = [args[1], *cgutils.unpack_tuple(builder, args[2])]
    status, result = convention.call_function(builder, place, returns, arguments, values)
    with builder.if_then(status.is_error, likely=False):
        convention.return_status_propagate(builder, status)
    return context.get_dummy_value() if returns == types.void else result


@register_model(KernelType)
class _Address(PrimitiveModel):
    def __init__(self, manager: Any, kind: KernelType) -> None:
        super().__init__(manager, kind, _WORD)


@register_model(RecordType)
class _Pointer(PrimitiveModel):
    def __init__(self, manager: Any, kind: RecordType) -> None:
        super().__init__(manager, kind, _WORD.as_pointer())


@unbox(RecordType)
def _unbox(kind: RecordType, record: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(record, "address")
    pointer = c.builder.bitcast(c.pyapi.long_as_voidptr(address), c.context.get_value_type(kind))
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Kinds(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> Any:
        found = record.find(name)
        return found and found[0]


@lower_getattr_generic(RecordType)
def _read(context: Any, builder: Any, record: RecordType, pointer: Any, name: str) -> Any:
    kind, at = record.find(name)  # type: ignore[misc] # it has it, or the kernel had not been typed

    def read(which: int, as_type: Any = _WORD) -> Any:
        place = builder.bitcast(builder.gep(pointer, [ir.Constant(_WORD, which)]), as_type.as_pointer())
        word = builder.load(place)
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return word

    value_type = context.get_data_type(kind)
    if not isinstance(kind, types.Array):
        return context.data_model_manager[kind].from_data(builder, read(at, value_type))
    array = context.make_array(kind)(context, builder)
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape = [read(at + 1 + axis) for axis in range(kind.ndim)]
    strides = [ir.Constant(_WORD, itemsize)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(read(at), context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()

"""What is remembered of Python texts between two looks at them, so that the second look is quick."""

from collections import OrderedDict

from verify_lsp.verifiers.code.python_chunks import Known, known, next_known
from verify_lsp.verifiers.code.python_compile import Beyond, Fault, fault_of


class PythonTexts:
    """The last text of each file that compiled. Whoever asks again and again about the same files keeps one.

    It answers as `fault_of` does, only sooner. It is not to be used by two threads at once.
    """

    def __init__(self, limit: int = 64) -> None:
        """Remember at most `limit` texts, the last asked about."""
        self._limit = limit
        self._compiled: OrderedDict[str, str | Known] = OrderedDict()

    def fault_of(self, key: str, text: str) -> Fault | Beyond | None:
        """Return what is wrong with `text`, None when it compiles; `key` says which file it is the text of."""
        before = self._compiled.get(key)
        if isinstance(before, str):
            before = None if before == text else known(before)
        after = next_known(before, text) if before is not None else None
        if after is not None:
            self._keep(key, after)
            return None
        fault = fault_of(text)
        if fault is None:
            # Its statements are looked at when the next text comes, which most files never see.
            self._keep(key, text)
        elif before is not None:
            self._keep(key, before)
        return fault

    def forget(self, key: str) -> None:
        """Forget a file, as when it is closed."""
        self._compiled.pop(key, None)

    def _keep(self, key: str, state: str | Known) -> None:
        self._compiled[key] = state
        self._compiled.move_to_end(key)
        while len(self._compiled) > self._limit:
            self._compiled.popitem(last=False)

"""Is a sentence English? What is not is left unexamined, as the patterns know no other language."""

import re

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ENGLISH = frozenset(
    {
        "the",
        "and",
        "is",
        "are",
        "was",
        "were",
        "all",
        "with",
        "now",
        "i",
        "to",
        "of",
        "for",
        "it",
        "this",
        "that",
        "have",
    }
    | {"has", "not", "no", "pass", "passes", "passed", "passing", "tests", "added", "fixed", "updated", "ran", "run"}
    | {"clean", "errors", "changes", "files", "created", "removed", "in", "on", "as", "by", "be", "been", "they", "we"}
)
# Words that English does not have, by far the commonest of their languages.
_OTHER = frozenset(
    {
        "der",
        "das",
        "und",
        "ist",
        "nicht",
        "sind",
        "alle",
        "ich",
        "habe",
        "wurden",
        "wird",
        "mit",
        "f\u00fcr",
        "keine",
        "jetzt",
    }
    | {
        "le",
        "la",
        "les",
        "des",
        "et",
        "est",
        "sont",
        "tous",
        "toutes",
        "une",
        "pas",
        "avec",
        "pour",
        "dans",
        "je",
        "du",
    }
    | {"el", "los", "las", "todas", "todos", "una", "con", "para", "pero", "ahora", "han", "se", "que", "del", "son"}
    | {
        "os",
        "uma",
        "n\u00e3o",
        "com",
        "foram",
        "il",
        "gli",
        "tutti",
        "sono",
        "della",
        "het",
        "een",
        "zijn",
        "niet",
        "voor",
    }
    | {"och", "inte", "alla", "nie", "wszystkie", "jest", "bir", "ve", "t\u00fcm", "v\u0161echny", "jsou", "og", "ikke"}
)
_FEW = 2


def is_english(text: str) -> bool:
    """Say whether `text` may be English: most letters are Latin, and no other language's words outnumber its own."""
    letters = [character for character in text if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    if latin * 10 < len(letters) * 7:
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHER for word in words)
    accented = sum(any(character > "\x7f" for character in word) for word in words)
    return not (other >= _FEW and other >= english) and not (accented >= _FEW and english == 0)

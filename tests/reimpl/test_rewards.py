from __future__ import annotations

from pathlib import Path

import pytest

from reimpl import (
    RewardFileEmptyError,
    RewardFileNotFoundError,
    ValidationError,
    VerifierOutputParseError,
    read_rewards,
)


def write(directory: Path, *, json: bytes | None = None, text: bytes | None = None) -> None:
    if json is not None:
        (directory / "reward.json").write_bytes(json)
    if text is not None:
        (directory / "reward.txt").write_bytes(text)


class TestPrecedence:
    """reward.json decides when it exists, whatever it holds."""

    def test_both(self, tmp_path: Path) -> None:
        write(tmp_path, json=b'{"a": 1}', text=b"0")
        assert read_rewards(tmp_path) == {"a": 1}

    def test_null_is_an_answer(self, tmp_path: Path) -> None:
        write(tmp_path, json=b"null", text=b"1")
        assert read_rewards(tmp_path) is None

    @pytest.mark.parametrize(
        ("content", "error"),
        [(b"", RewardFileEmptyError), (b" ", VerifierOutputParseError), (b"[]", ValidationError)],
    )
    def test_a_bad_one_has_no_substitute(self, tmp_path: Path, content: bytes, error: type[Exception]) -> None:
        write(tmp_path, json=content, text=b"1")
        with pytest.raises(error):
            read_rewards(tmp_path)

    def test_a_symlink_to_nowhere_is_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "reward.json").symlink_to("nowhere")
        write(tmp_path, text=b"1")
        assert read_rewards(tmp_path) == {"reward": 1.0}

    def test_a_symlink_to_itself_is_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "reward.json").symlink_to("reward.json")
        with pytest.raises(RewardFileNotFoundError):
            read_rewards(tmp_path)

    def test_a_symlink_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").write_bytes(b'{"a": 2}')
        (tmp_path / "reward.json").symlink_to("elsewhere")
        assert read_rewards(tmp_path) == {"a": 2}


class TestMessages:
    """The text of an error is harbor's, with the path of the file."""

    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(RewardFileNotFoundError) as raised:
            read_rewards(tmp_path)
        assert str(raised.value) == f"No reward file found at {tmp_path}/reward.txt or {tmp_path}/reward.json"

    @pytest.mark.parametrize("path", ["gone", "file/below", "na\0ul"])
    def test_no_directory(self, tmp_path: Path, path: str) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(RewardFileNotFoundError):
            read_rewards(tmp_path / path)

    @pytest.mark.parametrize("name", ["reward.txt", "reward.json"])
    def test_empty(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).touch()
        with pytest.raises(RewardFileEmptyError) as raised:
            read_rewards(str(tmp_path))
        assert str(raised.value) == f"Reward file is empty at {tmp_path}/{name}"

    def test_parse(self, tmp_path: Path) -> None:
        write(tmp_path, text=b"pass")
        with pytest.raises(VerifierOutputParseError) as raised:
            read_rewards(tmp_path)
        assert str(raised.value) == f"Failed to parse rewards from text file {tmp_path}/reward.txt"
        write(tmp_path, json=b"pass")
        with pytest.raises(VerifierOutputParseError) as raised:
            read_rewards(tmp_path)
        assert str(raised.value) == f"Failed to parse rewards from JSON file {tmp_path}/reward.json"

    @pytest.mark.parametrize("name", ["reward.txt", "reward.json"])
    def test_a_directory(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).mkdir()
        with pytest.raises(IsADirectoryError) as raised:
            read_rewards(tmp_path)
        assert str(raised.value) == f"[Errno 21] Is a directory: '{tmp_path}/{name}'"

    def test_a_path_that_cannot_be_looked_at(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="File name too long"):
            read_rewards(tmp_path / ("x" * 300))

    @pytest.mark.usefixtures("not_root")
    def test_no_permission(self, tmp_path: Path) -> None:
        write(tmp_path, json=b"{}", text=b"1")
        (tmp_path / "reward.json").chmod(0)
        with pytest.raises(PermissionError) as raised:
            read_rewards(tmp_path)
        assert str(raised.value) == f"[Errno 13] Permission denied: '{tmp_path}/reward.json'"

    @pytest.mark.usefixtures("not_root")
    def test_no_permission_and_no_bytes_is_empty(self, tmp_path: Path) -> None:
        write(tmp_path, json=b"")
        (tmp_path / "reward.json").chmod(0)
        with pytest.raises(RewardFileEmptyError):
            read_rewards(tmp_path)

    @pytest.mark.usefixtures("not_root")
    def test_no_permission_to_enter_the_directory(self, tmp_path: Path) -> None:
        write(tmp_path, text=b"1")
        tmp_path.chmod(0o600)
        with pytest.raises(PermissionError) as raised:
            read_rewards(tmp_path)
        assert str(raised.value) == f"[Errno 13] Permission denied: '{tmp_path}/reward.json'"


class TestText:
    """reward.txt is one number in UTF-8."""

    @pytest.mark.parametrize(
        ("content", "number"),
        [
            (b"1\n", "1.0"),
            (b"1\r\n", "1.0"),
            (b"-0", "-0.0"),
            (b"nan", "nan"),
            ("\u3000١".encode(), "1.0"),
        ],
    )
    def test_numbers(self, tmp_path: Path, content: bytes, number: str) -> None:
        write(tmp_path, text=content)
        assert repr(read_rewards(tmp_path)) == f"{{'reward': {number}}}"

    @pytest.mark.parametrize("content", [b" ", b"1,0", b"\xef\xbb\xbf1", b"1\xff", "1".encode("utf-16"), b"1\0"])
    def test_no_numbers(self, tmp_path: Path, content: bytes) -> None:
        write(tmp_path, text=content)
        with pytest.raises(VerifierOutputParseError):
            read_rewards(tmp_path)


class TestJson:
    """reward.json is an object of names and numbers in UTF-8."""

    @pytest.mark.parametrize(
        ("content", "rewards"),
        [
            (b"{}", "{}"),
            (b'{"a": 1, "b": 1.0, "c": -0, "d": -0.0}', "{'a': 1, 'b': 1.0, 'c': 0, 'd': -0.0}"),
            (b'{"a": true, "b": "1", "c": NaN}', "{'a': 1.0, 'b': 1.0, 'c': nan}"),
            (b'{"a": "x", "a": 2}', "{'a': 2}"),
        ],
    )
    def test_objects(self, tmp_path: Path, content: bytes, rewards: str) -> None:
        write(tmp_path, json=content)
        assert repr(read_rewards(tmp_path)) == rewards

    @pytest.mark.parametrize("content", [b"\xef\xbb\xbf{}", b'{"\xff": 1}', b"{},", b"{'a': 1}", b'{"a": 01}'])
    def test_no_json(self, tmp_path: Path, content: bytes) -> None:
        write(tmp_path, json=content)
        with pytest.raises(VerifierOutputParseError):
            read_rewards(tmp_path)

    def test_nested_too_deeply(self, tmp_path: Path) -> None:
        write(tmp_path, json=b"[" * 1493 + b"]" * 1493)
        with pytest.raises(ValidationError):
            read_rewards(tmp_path)
        write(tmp_path, json=b"[" * 1494 + b"]" * 1494)
        with pytest.raises(RecursionError):
            read_rewards(tmp_path)

"""Closed by default, open to those who are named."""

import pytest

from bot.access import AccessDenied, AccessPolicy

ADMIN, FRIEND, STRANGER, GROUP = 1, 2, 3, -100987


@pytest.fixture
def access() -> AccessPolicy:
    return AccessPolicy([ADMIN], [FRIEND, GROUP])


def test_empty_list_lets_nobody_in() -> None:
    assert not AccessPolicy().is_allowed(STRANGER)


@pytest.mark.parametrize(
    ("asker", "chat", "is_allowed"),
    [
        (ADMIN, None, True),
        (FRIEND, FRIEND, True),
        (FRIEND, -5, True),
        (STRANGER, STRANGER, False),
        (STRANGER, -5, False),
        (STRANGER, GROUP, True),
        (str(FRIEND), None, True),
    ],
)
def test_named_people_and_groups_may_ask(
    access: AccessPolicy, asker: int | str, chat: int | None, is_allowed: bool
) -> None:
    assert access.is_allowed(asker, chat) is is_allowed


def test_stranger_learns_own_number(access: AccessPolicy) -> None:
    access.check(FRIEND)
    with pytest.raises(AccessDenied) as caught:
        access.check(STRANGER, STRANGER)
    assert caught.value.asker == "3"


def test_only_admins_are_admins(access: AccessPolicy) -> None:
    assert [access.is_admin(one) for one in (ADMIN, FRIEND, GROUP)] == [True, False, False]


def test_open_to_all_has_no_stranger() -> None:
    access = AccessPolicy(open_to_all=True)
    assert access.is_allowed(STRANGER, -5)
    assert not access.is_admin(STRANGER)

"""With a folder the simulator remembers, whatever ended it."""

import asyncio
import signal
import sys
from pathlib import Path

import httpx

from bot.simulator import SAMPLES, YOU, Simulator
from tests.bot.simulator.conftest import ME, NOTE, PRIVATE_ID, Clock

SERVE = """
import asyncio, sys
from pathlib import Path
from bot.simulator import Simulator

async def main():
    async with Simulator(folder=Path(sys.argv[1]), demo=True) as simulator:
        print(simulator.url, simulator.token, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def started(folder: Path) -> tuple[asyncio.subprocess.Process, str, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVE, str(folder), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    url, token = (await process.stdout.readline()).decode().split()
    return process, url, f"{url}/bot{token}"


async def killed(process: asyncio.subprocess.Process) -> None:
    process.send_signal(signal.SIGKILL)
    await process.wait()


async def test_killed_simulator_wakes_with_everything(
    tmp_path: Path, client: httpx.AsyncClient
) -> None:
    process, url, api = await started(tmp_path)
    text = {"person_id": PRIVATE_ID, "chat_id": PRIVATE_ID, "text": "remember me"}
    await client.post(f"{url}/control/messages", json=text)
    files = {"photo": ("note.png", NOTE, "image/png")}
    sent = await client.post(f"{api}/sendPhoto", data={"chat_id": str(PRIVATE_ID)}, files=files)
    before = (await client.get(f"{url}/control/chats/{PRIVATE_ID}/messages")).json()
    await killed(process)
    process, url, api = await started(tmp_path)
    try:
        after = (await client.get(f"{url}/control/chats/{PRIVATE_ID}/messages")).json()
        assert after == before
        updates = (await client.post(f"{api}/getUpdates")).json()["result"]
        assert [update["message"]["text"] for update in updates] == ["remember me"]
        file_id = sent.json()["result"]["photo"][-1]["file_id"]
        path = (await client.post(f"{api}/getFile", json={"file_id": file_id})).json()
        file_url = api.replace("/bot", "/file/bot", 1) + "/" + path["result"]["file_path"]
        assert (await client.get(file_url)).content.startswith(b"\xff\xd8")
        again = (await client.post(f"{url}/control/messages", json=text)).json()
        assert again["message_id"] == before[-1]["message_id"] + 1
    finally:
        await killed(process)


async def test_numbers_are_never_given_twice(tmp_path: Path, clock: Clock) -> None:
    for expected in (1, 2, 3):
        async with Simulator(folder=tmp_path, clock=clock) as simulator:
            message = simulator.scene.crowd.say(ME, "x")
            assert message.message_id == expected
            simulator.scene.crowd.delete(YOU.person_id, PRIVATE_ID, message.message_id)


async def test_update_numbers_go_on(tmp_path: Path, clock: Clock) -> None:
    numbers = []
    for _ in range(2):
        async with Simulator(folder=tmp_path, clock=clock) as simulator:
            simulator.scene.crowd.say(ME, "x")
            numbers += [update.update_id for update in simulator.scene.updates.pending]
            await simulator.scene.updates.poll(numbers[-1] + 1, 100, 0)
    assert numbers == [710_000_001, 710_000_002]


async def test_clock_stays_ahead(tmp_path: Path, clock: Clock, client: httpx.AsyncClient) -> None:
    for days in (1, 2):
        async with Simulator(folder=tmp_path, clock=clock) as simulator:
            await client.post(f"{simulator.url}/control/clock", json={"advance_s": 86_400})
            assert simulator.scene.clock() == clock() + days * 86_400


async def test_half_a_line_is_forgotten(tmp_path: Path, clock: Clock) -> None:
    async with Simulator(folder=tmp_path, clock=clock) as simulator:
        simulator.scene.crowd.say(ME, "whole")
    journal = tmp_path / "world.jsonl"

    def tear() -> None:
        with journal.open("a") as file:
            file.write('["Message", {"chat_id": 5000')

    await asyncio.to_thread(tear)
    async with Simulator(folder=tmp_path, clock=clock) as simulator:
        shown = [message.text for message in simulator.scene.world.history(PRIVATE_ID)]
        assert shown == ["whole"]
        simulator.scene.crowd.say(ME, "after\u2028all\ud83d")
    async with Simulator(folder=tmp_path, clock=clock) as simulator:
        shown = [message.text for message in simulator.scene.world.history(PRIVATE_ID)]
        assert shown == ["whole", "after\u2028all\ud83d"]
    assert not await asyncio.to_thread((tmp_path / "world.damaged").exists)


async def test_damaged_journal_is_kept(tmp_path: Path, clock: Clock) -> None:
    async with Simulator(folder=tmp_path, clock=clock) as simulator:
        simulator.scene.crowd.say(ME, "whole")
    journal = tmp_path / "world.jsonl"
    text = await asyncio.to_thread(journal.read_text)
    broken = text.replace('["Person"', '["Pers', 1)
    await asyncio.to_thread(journal.write_text, broken)
    async with Simulator(folder=tmp_path, clock=clock) as simulator:
        assert simulator.scene.world.history(PRIVATE_ID)[0].text == "whole"
    assert await asyncio.to_thread((tmp_path / "world.damaged").read_text) == broken


async def test_without_a_folder_nothing_stays(tmp_path: Path, clock: Clock) -> None:
    async with Simulator(clock=clock) as simulator:
        folder = simulator.folder
        assert await asyncio.to_thread(folder.exists)
    assert not await asyncio.to_thread(folder.exists)


async def test_pictures_hang_in_the_group_once(tmp_path: Path, clock: Clock) -> None:
    for _ in range(2):
        async with Simulator(folder=tmp_path, clock=clock) as simulator:
            group = simulator.scene.world.chats[-1_001_000_000_001]
            assert len(simulator.scene.world.history(group.chat_id)) == 2
            assert simulator.scene.updates.pending == ()
    assert await asyncio.to_thread((SAMPLES / "note.png").exists)

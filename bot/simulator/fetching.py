"""Methods by which the bot takes in: updates, files; and its answers to pressed buttons."""

from bot.simulator.kinds import read_kinds
from bot.simulator.parameters import Parameters
from bot.simulator.records import Reply
from bot.simulator.refusal import Refusal, bad_request
from bot.simulator.scene import Scene
from bot.simulator.updates import MAX_WAIT_S, QUERY_LIFETIME_S, WEBHOOK_CONFLICT

MAX_ANSWER = 200
_TOO_OLD = "Query is too old and response timeout expired or query ID is invalid"


class Fetching:
    """getUpdates, getFile, answerCallbackQuery."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._answered: set[str] = set()

    async def get_updates(self, parameters: Parameters) -> object:
        if self._scene.world.profile.webhook_url:
            raise Refusal(409, WEBHOOK_CONFLICT)
        self._allow(parameters)
        limit = parameters.integer("limit", 100)
        updates = await self._scene.updates.poll(
            parameters.integer("offset"),
            100 if limit <= 0 else min(limit, 100),
            min(max(parameters.integer("timeout"), 0), MAX_WAIT_S),
        )
        return [update.view() for update in updates]

    async def get_file(self, parameters: Parameters) -> object:
        file = self._scene.files.by_file_id(parameters.text("file_id"))
        path = self._scene.files.open_link(file)
        return self._scene.view.file(file) | {"file_path": path}

    async def answer_callback_query(self, parameters: Parameters) -> object:
        query = self._scene.world.queries.get(parameters.text("callback_query_id"))
        now = self._scene.clock()
        if query is None or query.query_id in self._answered:
            raise bad_request(_TOO_OLD)
        if now - query.created_at > QUERY_LIFETIME_S:
            raise bad_request(_TOO_OLD)
        text = parameters.text("text")
        if len(text) > MAX_ANSWER:
            raise bad_request("MESSAGE_TOO_LONG")
        self._answered.add(query.query_id)
        alert, url = parameters.flag("show_alert"), parameters.text("url")
        self._scene.world.tell(Reply(query.query_id, query.person_id, text, alert, url))
        return True

    def _allow(self, parameters: Parameters) -> None:
        if not parameters.has("allowed_updates"):
            return
        complaint = "Can't parse allowed updates JSON object"
        kinds = read_kinds(parameters.structure("allowed_updates", complaint))
        if kinds is not None:
            self._scene.updates.allow(kinds)

"""The stub agent, which harbor loads by its import path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harbor.agents.base import BaseAgent

from oracle.job_run.stage import act

if TYPE_CHECKING:
    from harbor.models.agent.context import AgentContext

    from oracle.job_run.environment import StubEnvironment


class StubAgent(BaseAgent):  # type: ignore[misc]  # harbor is not typed
    """An agent that has the case's name and does as the play says."""

    def __init__(self, *args: Any, called: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.__dict__["name"] = lambda: called  # harbor asks an agent for its name, later releases its class as well

    @staticmethod
    def name() -> str:
        """Name the class; an agent has the name that the case has for it."""
        return "stub"

    def version(self) -> str:
        """Give a version, which no result depends on."""
        return "1"

    async def setup(self, environment: StubEnvironment) -> None:
        """Get ready as the play says."""
        await act(environment.scene.play.get("install"))

    async def run(self, instruction: str, environment: StubEnvironment, context: AgentContext) -> None:
        """Spend the tokens of the play, then do as it says."""
        del instruction
        part = environment.scene.part
        for name, count in (part.get("tokens") or {}).items():
            setattr(context, name if name == "cost_usd" else f"n_{name}_tokens", count)
        await act(part.get("agent"))

"""Standings: ratings of a rulebook's players, from the results of its public games, in the order of their ends.

The same results always give the same ratings, to the byte. When a result comes in late, the results of games that ended
after it are undone and rated again. When it comes in very late, all ratings are computed from scratch. Until then, the
results of deleted games still count.
"""

from __future__ import annotations

from typing import Any

from openskill.models import PlackettLuce

from events.games.command_handler import CommandHandler
from events.games.repository import GameNotFound
from events.lists.game_index import GameIndex, Listing, RatedResult, Rating, Ratings
from games.kernel.sessions.session import Session

MODEL = PlackettLuce()

MAX_UNDO = 100
"""At most this many of the latest results can be undone."""

FIRST_LISTING = Listing(0, "")
"""Sorts before every result."""


class RatingUpdater:
    """Keeps the ratings in the lists up to date with the results.

    Args:
        lists: where results and ratings are.
        games: reads the games whose results are rated.
        max_undo: at most this many of the latest results can be undone.
    """

    def __init__(self, lists: GameIndex, games: CommandHandler, max_undo: int = MAX_UNDO) -> None:
        self._lists = lists
        self._games = games
        self._max_undo = max_undo

    def update(self, rulebook: str) -> None:
        """Bring the ratings of a rulebook up to date, in every generation of the lists that is being written."""
        for generation in self._lists.generations():
            self.update_generation(rulebook, generation)

    def recompute(self, rulebook: str) -> None:
        """Compute the ratings of a rulebook from scratch, from all its results."""
        for generation in self._lists.generations():
            self._lists.change_ratings(rulebook, generation, lambda _: Ratings())
            self.update_generation(rulebook, generation)

    def update_generation(self, rulebook: str, generation: int) -> None:
        """Bring the ratings of a rulebook up to date in one generation of the lists."""

        def updated(ratings: Ratings) -> Ratings:
            rated = {result.result for result in ratings.recent}
            counted = self._lists.counted_results(rulebook, generation, min(rated, default=FIRST_LISTING))
            new = [result for result in counted.results if result not in rated]
            if ratings.rated + len(new) == counted.number:
                return self._with_results(ratings, new, counted.number) if new else ratings
            counted = self._lists.counted_results(rulebook, generation, FIRST_LISTING)
            return self._with_results(Ratings(), counted.results, counted.number)

        self._lists.change_ratings(rulebook, generation, updated)

    def _with_results(self, ratings: Ratings, new: list[Listing], number: int) -> Ratings:
        """Return the ratings with new results: undo the results that ended later, then rate all in the order of ends.

        The new results must come after the first of the recent ones, if there are any.
        """
        players = dict(ratings.players)
        unchanged = [result for result in ratings.recent if result.result < min(new, default=FIRST_LISTING)]
        later = ratings.recent[len(unchanged) :]
        for result in reversed(later):
            _undo(players, result)
        listings = sorted([*new, *(result.result for result in later)])
        rated = [RatedResult(listing, self._rate_game(players, listing)) for listing in listings]
        return Ratings(number, dict(sorted(players.items())), (*unchanged, *rated)[-self._max_undo :])

    def _rate_game(self, players: dict[str, Rating], listing: Listing) -> dict[str, Rating | None]:
        """Rate the players of one game against each other; return their ratings before it.

        Seats without a player, such as seats of bots, are not rated. Nor is a game that was deleted meanwhile.
        """
        try:
            current = self._games.read(listing.game)
        except GameNotFound:
            return {}
        seats = _rated_seats(current.session, self._games.people(listing.game, current.session))
        if len(seats) < 2:
            return {}
        assert current.session.result is not None
        before = {player: players.get(player) for player in seats.values()}
        ratings = [rating or Rating(MODEL.mu, MODEL.sigma, 0) for rating in before.values()]
        teams: Any = [[MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
        ranks = [float(current.session.result.places[seat]) for seat in seats]
        for player, rating, (rated,) in zip(before, ratings, MODEL.rate(teams, ranks=ranks), strict=True):
            players[player] = Rating(rated.mu, rated.sigma, rating.games + 1)
        return before


def _undo(players: dict[str, Rating], result: RatedResult) -> None:
    for player, rating in result.before.items():
        if rating is None:
            del players[player]
        else:
            players[player] = rating


def _rated_seats(session: Session, people: dict[str, Any]) -> dict[int, str]:
    """Return the player of each rated seat; a player with several seats counts once, at the first of them."""
    seats: dict[int, str] = {}
    for info in session.seats:
        person = people.get(info.person or "")
        if person is not None and person.player is not None and person.player not in seats.values():
            seats[info.seat] = person.player
    return seats

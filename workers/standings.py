"""Standings: ratings of a rulebook's players, from the results of its public games in the order in which they ended.

The same results always give the same ratings, to the byte. When a result comes in late, the results of games that ended
after it are undone and rated again; when it comes in very late, all ratings are computed from scratch. Until then, the
effect of a deleted game remains.
"""

from __future__ import annotations

from typing import Any

from openskill.models import PlackettLuce

from events.games.repository import GameNotFound
from events.lists.game_index import GameIndex, Listing, RatedResult, Rating, Ratings
from games.kernel.session import Session
from workers import resources

MODEL = PlackettLuce()

MAX_UNDO = 100
"""At most this many of the latest results can be undone."""

INITIAL_RATING = Listing(0, "")


def rate(rulebook: str) -> None:
    """Bring the ratings of a rulebook up to date with its results, in every generation that is being written."""
    for generation in resources.game_index().generations():
        rate_generation(resources.game_index(), rulebook, generation)


def recompute_ratings(rulebook: str) -> None:
    """Compute the ratings of a rulebook from scratch, from all its results."""
    for generation in resources.game_index().generations():
        resources.game_index().change_ratings(rulebook, generation, lambda _: Ratings())
        rate_generation(resources.game_index(), rulebook, generation)


def rate_generation(lists: GameIndex, rulebook: str, generation: int) -> None:
    """Bring the ratings of a rulebook up to date in one generation of the lists."""

    def brought_up_to_date(known: Ratings) -> Ratings:
        rated = {step.result for step in known.recent}
        counted = lists.counted_results(rulebook, generation, min(rated, default=INITIAL_RATING))
        new = [result for result in counted.results if result not in rated]
        if known.rated + len(new) == counted.number:
            return _with(known, new, counted.number) if new else known
        counted = lists.counted_results(rulebook, generation, INITIAL_RATING)
        return _with(Ratings(), counted.results, counted.number)

    lists.change_ratings(rulebook, generation, brought_up_to_date)


def _with(known: Ratings, new: list[Listing], number: int) -> Ratings:
    """Return the ratings with new results added: undo the later ones, then rate all in the order in which they ended.

    The new results must come after the first of the recent ones, if there are any.
    """
    players = dict(known.players)
    kept = [step for step in known.recent if step.result < min(new, default=INITIAL_RATING)]
    undone = known.recent[len(kept) :]
    for step in reversed(undone):
        _undo(players, step)
    results = sorted([*new, *(step.result for step in undone)])
    steps = (*kept, *(RatedResult(result, _rate_game(players, result)) for result in results))
    return Ratings(number, dict(sorted(players.items())), steps[-MAX_UNDO:])


def _undo(players: dict[str, Rating], step: RatedResult) -> None:
    for player, rating in step.before.items():
        if rating is None:
            del players[player]
        else:
            players[player] = rating


def _rate_game(players: dict[str, Rating], result: Listing) -> dict[str, Rating | None]:
    """Rate the players of one game against each other; return their ratings before it.

    Seats without a player, such as bots' seats, are not rated; nor is a game that was deleted meanwhile.
    """
    try:
        current = resources.games().read(result.game)
    except GameNotFound:
        return {}
    seats = _rated_seats(current.session, resources.games().people(result.game, current.session))
    if len(seats) < 2:
        return {}
    assert current.session.result is not None
    before = {player: players.get(player) for player in seats.values()}
    known = [rating or Rating(MODEL.mu, MODEL.sigma, 0) for rating in before.values()]
    teams: Any = [[MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in known]
    ranks = [float(current.session.result.places[seat]) for seat in seats]
    for player, rating, (rated,) in zip(before, known, MODEL.rate(teams, ranks=ranks), strict=True):
        players[player] = Rating(rated.mu, rated.sigma, rating.games + 1)
    return before


def _rated_seats(lobby: Session, people: dict[str, Any]) -> dict[int, str]:
    """Return the player of each rated seat; a player with several seats counts once, at the first of them."""
    seats: dict[int, str] = {}
    for seating in lobby.seats:
        person = people.get(seating.person or "")
        if person is not None and person.player is not None and person.player not in seats.values():
            seats[seating.seat] = person.player
    return seats

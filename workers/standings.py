"""Standings: how strong the players of a rulebook are, by the results of its public games in the order of their ends.

The same results always give the same ratings, to the byte. A result that comes in late, after one that ended later,
has them worked out anew.
"""

from __future__ import annotations

from typing import Any

from openskill.models import PlackettLuce

from events.lists import Listed, Lists, Rating, Ratings
from games.kernel.lobby import Lobby
from workers import desk

MODEL = PlackettLuce()


def rate(rulebook: str) -> None:
    """Bring the ratings of a rulebook up to date with its results, in every generation that is written."""
    for generation in desk.lists().generations():
        rate_generation(desk.lists(), rulebook, generation)


def rate_anew(rulebook: str) -> None:
    """Work out the ratings of a rulebook from all its results."""
    for generation in desk.lists().generations():
        desk.lists().change_ratings(rulebook, generation, lambda _: Ratings())
        rate_generation(desk.lists(), rulebook, generation)


def rate_generation(lists: Lists, rulebook: str, generation: int) -> None:
    """Bring the ratings of a rulebook up to date in one generation of the lists."""

    def brought_up_to_date(ratings: Ratings) -> Ratings:
        before, later = lists.results_after(rulebook, ratings.last, generation)
        if before != ratings.rated:
            ratings = Ratings()
            later = lists.results(rulebook, generation)
        if not later:
            return ratings
        players = dict(ratings.players)
        for result in later:
            _rate_game(players, result)
        return Ratings(ratings.rated + len(later), later[-1], dict(sorted(players.items())))

    lists.change_ratings(rulebook, generation, brought_up_to_date)


def _rate_game(players: dict[str, Rating], result: Listed) -> None:
    """Rate the players of one game against each other; a seat without a player, or a bot's, is not rated."""
    current = desk.games().read(result.game)
    seats = _rated_seats(current.lobby, desk.games().people(result.game, current.lobby))
    if len(seats) < 2:
        return
    assert current.lobby.result is not None
    known = [players.get(player, Rating(MODEL.mu, MODEL.sigma, 0)) for player in seats.values()]
    teams: Any = [[MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in known]
    ranks = [float(current.lobby.result.places[seat]) for seat in seats]
    for player, rating, (rated,) in zip(seats.values(), known, MODEL.rate(teams, ranks=ranks), strict=True):
        players[player] = Rating(rated.mu, rated.sigma, rating.games + 1)


def _rated_seats(lobby: Lobby, people: dict[str, Any]) -> dict[int, str]:
    """Give the player of each seat that counts; one who sits twice at a table counts once, at the first seat."""
    seats: dict[int, str] = {}
    for seating in lobby.seatings:
        person = people.get(seating.person or "")
        if person is not None and person.player is not None and person.player not in seats.values():
            seats[seating.seat] = person.player
    return seats

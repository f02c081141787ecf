// Verifies records of Croupier: node verify.mjs FILE…   It uses only Node's standard library.
// Written from docs/record-format.md, whose sections the comments name. It knows no rules (`croupier verify` checks
// whether every answer was legal), with one example of a shuffle: it repeats the deals of 6 nimmt!.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const raw = (hash) => Buffer.from(hash, "hex");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const check = (condition, message) => { if (!condition) throw new Error(message); };

const H = ',"h":"([0-9a-f]{64})"'; // section 2: every line carries its own bytes and their hash
const HEADER = new RegExp(`^\\{"header":(\\{.*\\})${H}\\}$`);
const DECISION = new RegExp(`^\\{"d":(\\{.*\\})${H}\\}$`);
const FOOTER = new RegExp(`^\\{"footer":(\\{.*\\})${H}(?:,"key":"([0-9a-f]{64})","signature":"([0-9a-f]{128})")?\\}$`);

function verifyRecord(bytes) {
  const text = bytes.toString("utf8");
  check(Buffer.from(text).equals(bytes) && text.endsWith("\n"), "the file is not UTF-8 text that ends with a line feed");
  const lines = text.slice(0, -1).split("\n");
  check(lines.length >= 3, "lines are missing");
  const [, headerBytes, headerHash] = HEADER.exec(lines[0]) ?? [];
  check(headerBytes && sha256(headerBytes) === headerHash, "line 1 is not a header, or was changed");
  const header = JSON.parse(headerBytes);
  check(header.format === "croupier-record/1", `the format is ${header.format}`);

  let head = sha256(header.game); // section 3: the chain
  check(header.root === head, "the root does not belong to this game");
  const decisions = lines.slice(1, -1).map((line, index) => {
    const [, decisionBytes, hash] = DECISION.exec(line) ?? [];
    head = decisionBytes && sha256(raw(head), decisionBytes);
    check(head && head === hash, `decision ${index + 1} was changed or moved`);
    const decision = JSON.parse(decisionBytes);
    check(decision.number === index + 1, `decision ${index + 1} has a wrong number`);
    return decision;
  });

  const [, footerBytes, footerHash, key, signature] = FOOTER.exec(lines.at(-1)) ?? []; // section 4: footer and seal
  const hash = footerBytes && sha256(raw(headerHash), raw(head), footerBytes);
  check(hash && hash === footerHash, "the last line is not a footer, or was changed");
  const footer = JSON.parse(footerBytes);
  check(footer.head === head && footer.decisions === decisions.length, "the footer does not match the decisions");
  const message = Buffer.from(`croupier-record/1 ${hash}`);
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw(key ?? "").toString("base64url") };
  const signed = () => verify(null, message, createPublicKey({ key: jwk, format: "jwk" }), raw(signature));
  check(!key || signed(), "the signature does not match this record and this key");

  const facts = decisions.flatMap((decision) => decision.facts); // section 5: what header and footer must say
  for (const name of ["rulebook", "edition", "options", "commitment"])
    check(same(facts[0][name], header[name]), `the header and decision 1 differ in ${name}`);
  const seats = header.seats.map(() => ({}));
  for (const { type, seat, person, commitment, part } of facts) {
    if (type === "seat_taken") seats[seat] = { person, commitment };
    if (type === "seat_left") seats[seat] = {};
    if (type === "seed_revealed") seats[seat].part = part;
  }
  seats.forEach(({ person = null, commitment = null, part = null }, seat) => {
    check(header.seats[seat].person === person && header.seats[seat].commitment === commitment, `the header and the decisions differ in seat ${seat}`);
    check(footer.seed.parts[seat] === part, `the footer has a wrong part of the seed for seat ${seat}`);
    check(part === null || sha256(part) === commitment, `the part of seat ${seat} does not match its commitment`);
  });
  const [started, finished] = ["started", "finished"].map((type) => facts.find((fact) => fact.type === type));
  const { server, parts, game } = footer.seed;
  check(server === facts[0].seed && sha256(server) === header.commitment, "the seed of the server does not match its commitment");
  const combined = sha256([server, ...parts.map((part) => part ?? "")].join("/"));
  check(game === (started ? combined : null), "the seed of the game does not follow from the server's seed and the seats' parts");
  check(!started || started.seed === game, "the game started with another seed");
  check(same(footer.result, finished ? { points: finished.points, places: finished.places } : null), "the footer has a wrong result");
  if (header.rulebook === "six-nimmt") decisions.forEach((decision) => checkDeal(game, decision));
  return `game ${header.game} of ${header.rulebook}, ${decisions.length} decisions, key ${key ?? "none"}`;
}

function shuffled(seed, decision, cards) { // section 6: chance
  const numbers = [...Array(cards.length)].flatMap((_, block) => {
    const digest = raw(sha256(`${seed}/${decision}/${block}`));
    return [0, 8, 16, 24].map((start) => digest.readBigUInt64BE(start));
  });
  for (let place = cards.length - 1; place > 0; place -= 1) {
    const limit = BigInt(place + 1);
    while (numbers[0] >= 2n ** 64n - (2n ** 64n % limit)) numbers.shift();
    const other = Number(numbers.shift() % limit);
    [cards[place], cards[other]] = [cards[other], cards[place]];
  }
  return cards;
}

function checkDeal(seed, { number, facts }) {
  const hands = facts.filter((fact) => fact.type === "hand_dealt").map((fact) => fact.cards);
  const rest = facts.filter((fact) => fact.type === "rows_opened").flatMap((fact) => [...fact.cards, ...fact.aside]);
  const size = hands.flat().length + rest.length;
  const deck = hands.length ? shuffled(seed, number, Array.from({ length: size }, (_, index) => index + 1)) : rest;
  const dealt = hands.map(() => deck.splice(0, 10).sort((one, other) => one - other));
  check(same(hands, dealt) && same(rest, deck), `the deal of decision ${number} does not match the shuffle`);
}

for (const file of process.argv.slice(2)) {
  try { console.log(`${file}: VALID: ${verifyRecord(readFileSync(file))}`); }
  catch (error) { process.exitCode = 1; console.log(`${file}: NOT VALID: ${error.message}`); }
}

// Plays a whole game through a client that is generated from openapi.yaml. It knows no rulebook: each seat follows its
// own stream of events, and gives each choice a random answer that the choice's schema allows.
//
//   npm ci && npm run build && npm run play -- http://127.0.0.1:8000 six-nimmt
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Choice = Schemas["ChoiceView"];
type Command = Schemas["Command"];
type StreamEvent =
  | ({ type: "game" } & Schemas["GameUpdate"])
  | ({ type: "decision" } & Schemas["EventView"])
  | ({ type: "choices" } & Schemas["Choices"])
  | ({ type: "end" } & Schemas["StreamEnd"]);
type Field =
  | { enum: unknown[] }
  | { type: "integer"; minimum: number; maximum: number }
  | { type: "array"; items: { enum?: unknown[] }; minItems: number; maxItems: number };
type Offer = { properties: { move: { const: string }; args: { properties: Record<string, Field> } } };

const [url = "http://127.0.0.1:8000", rulebook = "six-nimmt", language = "en"] = process.argv.slice(2);
const headers = { "Accept-Language": language };
const api = createClient<paths>({ baseUrl: url, headers });

function randomBelow(number: number): number {
  return Math.floor(Math.random() * number);
}

function sampleValue(field: Field): unknown {
  if ("enum" in field) return field.enum[randomBelow(field.enum.length)];
  if (field.type === "integer") return field.minimum + randomBelow(field.maximum - field.minimum + 1);
  const options = [...(field.items.enum ?? [])];
  const number = field.minItems + randomBelow(field.maxItems - field.minItems + 1);
  return Array.from({ length: number }, () => options.splice(randomBelow(options.length), 1)[0]);
}

function randomCommand(choice: Choice): Command {
  const offers = (choice.schema as { oneOf: Offer[] }).oneOf;
  const { move, args } = offers[randomBelow(offers.length)]!.properties;
  const values = Object.entries(args.properties).map(([name, field]) => [name, sampleValue(field)]);
  return { choice: choice.choice, move: move.const, args: Object.fromEntries(values) } as Command;
}

function unwrap<T>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data === undefined) throw new Error(`${result.response.status}: ${JSON.stringify(result.error)}`);
  return result.data;
}

async function* events(game: string, token: string): AsyncGenerator<StreamEvent> {
  const { data, response } = await api.GET("/v1/games/{game}/events", {
    params: { path: { game } },
    headers: { Authorization: `Bearer ${token}`, Accept: "application/x-ndjson" },
    parseAs: "stream",
  });
  if (!data) throw new Error(`the stream was refused: ${response.status}`);
  let incomplete = "";
  for await (const text of (data as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const lines = (incomplete + text).split("\n");
    incomplete = lines.pop()!;
    for (const line of lines) if (line) yield JSON.parse(line) as StreamEvent;
  }
}

// Answer one of the choices. It may have changed meanwhile, or a constraint that no schema can express may refuse the
// answer. Then nothing has happened, and the refusal lists the choices as they are now.
async function answer(game: string, token: string, choices: Choice[]): Promise<void> {
  while (choices[0]) {
    const { error, response } = await api.POST("/v1/games/{game}/commands", {
      params: { path: { game } },
      headers: { Authorization: `Bearer ${token}` },
      body: randomCommand(choices[0]),
    });
    if (!error) return; // the next choices come through the stream
    if (response.status !== 409) throw new Error(JSON.stringify(error));
    choices = ("choices" in error && error.choices) || [];
  }
}

async function play(game: string, name: string): Promise<number> {
  const params = { path: { game } };
  const { token } = unwrap(await api.POST("/v1/games/{game}/seats", { params, body: { name } }));
  let received = 0;
  for await (const event of events(game, token)) {
    if (event.type === "game" || event.type === "choices") await answer(game, token, event.choices);
    if (event.type === "decision") received += 1;
    if (event.type === "end") break;
  }
  return received;
}

const created = unwrap(await api.POST("/v1/games", { body: { rulebook, seats: 2 } }));
const game = created.game.game;
const received = await Promise.all(["Ana", "Ben"].map((name) => play(game, name)));
const final = unwrap(await api.GET("/v1/games/{game}", { params: { path: { game } } }));
console.log(`${game} ${final.status} after ${final.version} decisions; received: ${received.join(" and ")}`);
for (const { name, seat } of final.seats) console.log(`${final.result?.places[seat]}. ${name}: ${final.result?.points[seat]}`);

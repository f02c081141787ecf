// A whole game through a client that is generated from openapi.yaml. It knows no rulebook: each seat follows its own
// stream of events, and answers whatever it is asked with a random answer that the choice's schema allows.
//
//   npm ci && npm run build && npm run play -- http://127.0.0.1:8000 six-nimmt
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Choice = Schemas["ChoiceShown"];
type Command = Schemas["Command"];
type StreamEvent =
  | ({ type: "game" } & Schemas["GameFollowed"])
  | ({ type: "decision" } & Schemas["EventShown"])
  | ({ type: "choices" } & Schemas["Choices"])
  | ({ type: "end" } & Schemas["StreamEnd"]);
type Field =
  | { enum: unknown[] }
  | { type: "integer"; minimum: number; maximum: number }
  | { type: "array"; items: { enum?: unknown[] }; minItems: number; maxItems: number };
type Shape = { properties: { move: { const: string }; args: { properties: Record<string, Field> } } };

const [url = "http://127.0.0.1:8000", rulebook = "six-nimmt", language = "en"] = process.argv.slice(2);
const headers = { "Accept-Language": language };
const api = createClient<paths>({ baseUrl: url, headers });

function below(number: number): number {
  return Math.floor(Math.random() * number);
}

function fitting(field: Field): unknown {
  if ("enum" in field) return field.enum[below(field.enum.length)];
  if (field.type === "integer") return field.minimum + below(field.maximum - field.minimum + 1);
  const options = [...(field.items.enum ?? [])];
  const number = field.minItems + below(field.maxItems - field.minItems + 1);
  return Array.from({ length: number }, () => options.splice(below(options.length), 1)[0]);
}

function command(choice: Choice): Command {
  const shapes = (choice.schema as { oneOf: Shape[] }).oneOf;
  const { move, args } = shapes[below(shapes.length)]!.properties;
  const filled = Object.entries(args.properties).map(([name, field]) => [name, fitting(field)]);
  return { choice: choice.choice, move: move.const, args: Object.fromEntries(filled) } as Command;
}

function must<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

async function* events(game: string, token: string): AsyncGenerator<StreamEvent> {
  const { data, response } = await api.GET("/v1/games/{game}/events", {
    params: { path: { game } },
    headers: { Authorization: `Bearer ${token}`, Accept: "application/x-ndjson" },
    parseAs: "stream",
  });
  if (!data) throw new Error(`the stream was refused: ${response.status}`);
  let rest = "";
  for await (const text of (data as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line) yield JSON.parse(line) as StreamEvent;
  }
}

// Answer one of the choices. It may have changed meanwhile, or a condition that no schema can say may refuse the
// answer: nothing has happened then, and the refusal says what is asked now.
async function answer(game: string, token: string, choices: Choice[]): Promise<void> {
  while (choices[0]) {
    const { error, response } = await api.POST("/v1/games/{game}/commands", {
      params: { path: { game } },
      headers: { Authorization: `Bearer ${token}` },
      body: command(choices[0]),
    });
    if (!error) return; // what is asked next comes through the stream
    if (response.status !== 409) throw new Error(JSON.stringify(error));
    choices = ("choices" in error && error.choices) || [];
  }
}

async function play(game: string, name: string): Promise<number> {
  const params = { path: { game } };
  const { token } = must(await api.POST("/v1/games/{game}/seats", { params, body: { name } }));
  let told = 0;
  for await (const event of events(game, token)) {
    if (event.type === "game" || event.type === "choices") await answer(game, token, event.choices);
    if (event.type === "decision") told += 1;
    if (event.type === "end") break;
  }
  return told;
}

const created = must(await api.POST("/v1/games", { body: { rulebook, seats: 2 } }));
const game = created.game.game;
const told = await Promise.all(["Ana", "Ben"].map((name) => play(game, name)));
const over = must(await api.GET("/v1/games/{game}", { params: { path: { game } } }));
console.log(`${game} ${over.status} after ${over.version} decisions; told: ${told.join(" and ")}`);
for (const { name, seat } of over.seats) console.log(`${over.result?.places[seat]}. ${name}: ${over.result?.points[seat]}`);

/**
 * Ids with a character more, credentials in other places, refused changes, and writes of a shelf
 * beside those of its books: services that are right in an unusual way, and one error each.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Call, type Reply, runOn } from './run.ts';
import {
  CONTRACT,
  isRight,
  type Item,
  KEY,
  type Shelf,
  Shelves,
  wait,
  wrongBody,
} from './shelves.ts';

const ALTERED = 'addShelf.items.altered';
const ELSEWHERE = 'changeShelf.credentials.elsewhere';
const BESIDE = 'addShelf.items.update.refused-beside';
const REASONS = 'addShelf.items.update.refused-reasons';
const MOST = 'addShelf.body.name.maxLength';
const LEAST = 'addShelf.body.name.minLength';
const REMOVED = 'addShelf.items.race.inside-removed';
const CHANGED = 'addShelf.items.race.inside-changed';

const ALL = [ALTERED, ELSEWHERE, BESIDE, REASONS, MOST, LEAST, REMOVED, CHANGED];

/** The statuses of these requirements. */
async function statusesOf(
  service: Shelves,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const only = ids.flatMap((id) => ['--only', id]);
  const options = ['--header', `X-Key: ${KEY}`, '--level', 'extended', ...only];
  const { report } = await runOn(service.handler, CONTRACT, options);
  const found = report.requirements.filter(({ id }) => ids.includes(id));
  return Object.fromEntries(found.map(({ id, status }) => [id, status]));
}

function statuses(status: string, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, status]));
}

test('a plain service passes', async () => {
  expect(await statusesOf(new Shelves(), ALL)).toEqual(statuses('pass', ALL));
});

/** Ids that count, of digits alone: what follows them is a title. */
class Counted extends Shelves {
  #ids = 0;

  override nextId(): string {
    this.#ids += 1;
    return String(this.#ids);
  }

  override find<T extends Item>(all: ReadonlyMap<string, T>, id: string): T | undefined {
    return all.get(String(Number.parseInt(id, 10)));
  }
}

/** UUIDs, in either case, with and without hyphens, and beginnings that are clear. */
class Lenient extends Shelves {
  override nextId(): string {
    return randomUUID();
  }

  override find<T extends Item>(all: ReadonlyMap<string, T>, id: string): T | undefined {
    const plain = (text: string) => text.toLowerCase().replaceAll('-', '').trim();
    const found = [...all.values()].filter((one) => plain(one.id).startsWith(plain(id)));
    return found.length === 1 ? found[0] : undefined;
  }
}

/** A key that is sent in a bearer token, as the contract does not say, is refused with 403. */
class Forbids extends Shelves {
  override async respond(call: Call): Promise<Reply> {
    if (!this.isAllowed(call) && call.headers.authorization !== undefined) {
      return [403];
    }
    return super.respond(call);
  }
}

/** Removes a shelf only if nothing is on it. */
class Restricted extends Shelves {
  override async removeShelf(shelf: Shelf): Promise<Reply> {
    return shelf.books.size > 0 ? [409] : super.removeShelf(shelf);
  }
}

/** Removes the books of a shelf later; meanwhile they are found without it. */
class Orphans extends Shelves {
  readonly #removed = new Map<string, Shelf>();

  override find<T extends Item>(all: ReadonlyMap<string, T>, id: string): T | undefined {
    return super.find(all, id);
  }

  override async respond(call: Call): Promise<Reply> {
    const [, , shelfId = '', , bookId = ''] = call.path.split('/');
    const book = this.#removed.get(shelfId)?.books.get(bookId);
    return book && call.method === 'GET' ? [200, book] : super.respond(call);
  }

  override async removeShelf(shelf: Shelf): Promise<Reply> {
    this.#removed.set(shelf.id, shelf);
    return super.removeShelf(shelf);
  }
}

/** One write of a shelf at a time: others are refused. */
class Locked extends Shelves {
  #locked = false;

  override async respond(call: Call): Promise<Reply> {
    if (call.method === 'GET') {
      return super.respond(call);
    }
    if (this.#locked) {
      return [409];
    }
    this.#locked = true;
    await wait(2);
    const reply = await super.respond(call);
    this.#locked = false;
    return reply;
  }
}

test.each<[string, () => Shelves, string, string]>([
  ['reads numbers up to the first letter', () => new Counted(), ALTERED, 'pass'],
  ['knows other spellings and beginnings of ids', () => new Lenient(), ALTERED, 'pass'],
  ['refuses keys elsewhere with 403', () => new Forbids(), ELSEWHERE, 'pass'],
  ['removes no shelf with books', () => new Restricted(), REMOVED, 'skip'],
  ['keeps the books of shelves', () => new Orphans(), REMOVED, 'skip'],
  ['takes one write at a time', () => new Locked(), REMOVED, 'pass'],
  ['takes one write at a time', () => new Locked(), CHANGED, 'pass'],
])('a service that %s is right', async (_, make, id, status) => {
  expect(await statusesOf(make(), [id])).toEqual({ [id]: status });
});

/** Measures names in another unit than characters. */
class Measures extends Shelves {
  readonly #lengthOf: (name: string) => number;

  constructor(lengthOf: (name: string) => number) {
    super();
    this.#lengthOf = lengthOf;
  }

  override wrongShelf(call: Call): number | undefined {
    const { name } = Object(call.json) as { name?: unknown };
    if (typeof name !== 'string') {
      return super.wrongShelf(call);
    }
    const length = this.#lengthOf(name);
    const json = { ...Object(call.json), name: 'abc' };
    return length < 3 || length > 20 ? 400 : super.wrongShelf({ ...call, json });
  }
}

const inBytes = (): Shelves => new Measures((name) => Buffer.byteLength(name));
const inUnits = (): Shelves => new Measures(({ length }) => length);

class IgnoresEnd extends Shelves {
  override find<T extends Item>(all: ReadonlyMap<string, T>, id: string): T | undefined {
    return [...all.values()].find((one) => id.startsWith(one.id));
  }
}

class IgnoresLetters extends Shelves {
  override nextId(): string {
    return randomUUID();
  }

  override find<T extends Item>(all: ReadonlyMap<string, T>, id: string): T | undefined {
    return all.get(id.replaceAll(/[g-z]/g, ''));
  }
}

/** A removal takes the nearest id. */
class RemovesNearest extends Shelves {
  override nextId(): string {
    return randomUUID();
  }

  override async respond(call: Call): Promise<Reply> {
    const [, , id = ''] = call.path.split('/');
    const found = [...this.shelves.values()].find((one) => id.startsWith(one.id));
    if (call.method === 'DELETE' && found && id !== found.id && this.isAllowed(call)) {
      return this.removeShelf(found);
    }
    return super.respond(call);
  }
}

class TakesKeyInQuery extends Shelves {
  override isAllowed(call: Call): boolean {
    return super.isAllowed(call) || call.query.get('api_key') === KEY;
  }
}

class TakesCookie extends Shelves {
  override isAllowed(call: Call): boolean {
    return super.isAllowed(call) || /\btoken=sesame/.test(call.headers.cookie ?? '');
  }
}

class TakesBearer extends Shelves {
  override isAllowed(call: Call): boolean {
    return super.isAllowed(call) || call.headers.authorization === `Bearer ${KEY}`;
  }
}

/** Keeps what comes before the first error. */
class KeepsBefore extends Shelves {
  override async change(call: Call, item: Item): Promise<Reply> {
    if (wrongBody(call, false) !== 400) {
      return super.change(call, item);
    }
    for (const [name, value] of Object.entries(Object(call.json))) {
      if (!isRight(name, value)) {
        break;
      }
      item[name] = value;
    }
    return [400];
  }
}

/** Keeps what is right behind the first error. */
class KeepsBehind extends Shelves {
  override async change(call: Call, item: Item): Promise<Reply> {
    const entries = Object.entries(Object(call.json));
    const wrong = entries.findIndex(([name, value]) => !isRight(name, value));
    const reply = await super.change(call, item);
    if (reply[0] === 400 && wrong === 0) {
      Object.assign(item, Object.fromEntries(entries.slice(1)));
    }
    return reply;
  }
}

class ChangesUnread extends Shelves {
  override async change(call: Call, item: Item): Promise<Reply> {
    const reply = await super.change(call, item);
    if (reply[0] === 415) {
      Object.assign(item, call.json);
    }
    return reply;
  }
}

class RemovesUnseen extends Shelves {
  override async atItem(call: Call, item: Item, remove: () => Promise<Reply>): Promise<Reply> {
    const reply = await super.atItem(call, item, remove);
    if (reply[0] === 412 && call.method === 'DELETE') {
      await remove();
    }
    return reply;
  }
}

class ChangesUnasked extends Shelves {
  override async respond(call: Call): Promise<Reply> {
    const shelf = this.shelves.get(call.path.split('/')[2] ?? '');
    if (shelf && call.method === 'PATCH' && !this.isAllowed(call)) {
      Object.assign(shelf, call.json);
    }
    return super.respond(call);
  }
}

/** Writes the shelf back after each write on it, as it was before. */
class BringsBack extends Shelves {
  override async addBook(shelf: Shelf, body: object): Promise<Reply> {
    await wait(2);
    this.shelves.set(shelf.id, shelf);
    return super.addBook(shelf, body);
  }
}

/** Writes the whole shelf back after a pause. */
class WritesBack extends Shelves {
  override async change(call: Call, item: Item): Promise<Reply> {
    const books = new Map((item as Shelf).books);
    await wait(3);
    const reply = await super.change(call, item);
    if ('books' in item) {
      (item as Shelf).books = books;
    }
    return reply;
  }
}

test.each<[string, () => Shelves, string]>([
  ['measures the longest name in bytes', inBytes, MOST],
  ['measures the longest name in units of UTF-16', inUnits, MOST],
  ['measures the shortest name in bytes', inBytes, LEAST],
  ['measures the shortest name in units of UTF-16', inUnits, LEAST],
  ['ignores the end of an id', () => new IgnoresEnd(), ALTERED],
  ['ignores letters in an id', () => new IgnoresLetters(), ALTERED],
  ['removes what has the nearest id', () => new RemovesNearest(), ALTERED],
  ['takes the key in the query', () => new TakesKeyInQuery(), ELSEWHERE],
  ['takes the key in a cookie', () => new TakesCookie(), ELSEWHERE],
  ['takes the key as a bearer token', () => new TakesBearer(), ELSEWHERE],
  ['keeps members before an error', () => new KeepsBefore(), BESIDE],
  ['keeps members behind an error', () => new KeepsBehind(), BESIDE],
  ['changes what it refuses with 415', () => new ChangesUnread(), REASONS],
  ['removes what it refuses with 412', () => new RemovesUnseen(), REASONS],
  ['changes what it refuses with 401', () => new ChangesUnasked(), REASONS],
  ['brings back a shelf', () => new BringsBack(), REMOVED],
  ['writes back the books of a shelf', () => new WritesBack(), CHANGED],
])('a service that %s is found', async (_, make, id) => {
  const { [id]: status } = await statusesOf(make(), [id]);
  expect(['fail', 'flaky']).toContain(status);
});

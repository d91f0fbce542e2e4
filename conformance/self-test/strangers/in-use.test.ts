/** A hotel whose rooms have bookings, which name the room in their bodies. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Hotel, version: '1'}
paths:
  /rooms:
    post:
      operationId: addRoom
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
        '400': {description: wrong}
  /rooms/{room_id}:
    parameters: [{name: room_id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readRoom
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
        '400': {description: wrong}
        '404': {description: absent}
    delete:
      operationId: removeRoom
      responses:
        '204': {description: removed}
        '400': {description: wrong}
        '404': {description: absent}
        '409': {description: The room has confirmed bookings.}
  /bookings:
    post:
      operationId: book
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}
        '400': {description: wrong}
components:
  schemas:
    Room:
      type: object
      required: [name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, minLength: 1, maxLength: 20}
    Booking:
      type: object
      required: [room_id]
      properties:
        id: {type: integer, readOnly: true}
        room_id: {type: integer, minimum: 1}
        status: {type: string, enum: [confirmed, requested], readOnly: true}
`;

/** What the hotel does to a room with bookings. */
type OnRemoval = 'refuses' | 'removes' | 'refuses and removes';

class Hotel {
  readonly #onRemoval: OnRemoval;
  readonly #status: string;
  readonly #rooms = new Map<number, unknown>();
  readonly #booked = new Set<number>();
  #made = 0;

  constructor(onRemoval: OnRemoval, status = 'confirmed') {
    this.#onRemoval = onRemoval;
    this.#status = status;
  }

  readonly handler: Handler = ({ method, path, json }) => {
    if (path === '/rooms' || path === '/bookings') {
      const make = path === '/rooms' ? this.#addRoom : this.#book;
      return method === 'POST' ? make(json) : [405];
    }
    const [, number] = /^\/rooms\/(-?\d+)$/.exec(path) ?? [];
    if (number === undefined) {
      return [path.startsWith('/rooms/') ? 400 : 404];
    }
    return this.#room(method, Number(number));
  };

  readonly #addRoom = (json: Call['json']): Reply => {
    const { name } = isObject(json) ? json : {};
    if (typeof name !== 'string' || name === '' || [...name].length > 20) {
      return [400];
    }
    this.#made += 1;
    const room = { id: this.#made, name };
    this.#rooms.set(room.id, room);
    return [201, room];
  };

  readonly #book = (json: Call['json']): Reply => {
    const { room_id } = isObject(json) ? json : {};
    if (typeof room_id !== 'number' || !this.#rooms.has(room_id)) {
      return [400];
    }
    this.#booked.add(room_id);
    this.#made += 1;
    return [201, { id: this.#made, room_id, status: this.#status }];
  };

  #room(method: string, id: number): Reply {
    const room = this.#rooms.get(id);
    if (room === undefined) {
      return [404];
    }
    if (method === 'GET') {
      return [200, room];
    }
    return method === 'DELETE' ? this.#remove(id) : [405];
  }

  #remove(id: number): Reply {
    const isRefused = this.#booked.has(id) && this.#onRemoval !== 'removes';
    if (!isRefused || this.#onRemoval === 'refuses and removes') {
      this.#rooms.delete(id);
    }
    return [isRefused ? 409 : 204];
  }
}

test('a room with bookings is not removed', async () => {
  const { broken, passed } = await runOn(new Hotel('refuses').handler, CONTRACT);
  expect(broken).toEqual([]);
  expect(passed).toContain('removeRoom.in-use');
});

test.each<[words: string, status: string]>([
  ['The room still has bookings.', 'fail'],
  ['There are confirmed bookings for the room.', 'fail'],
  ['The room is referenced by bookings.', 'fail'],
  ['The room has bookings that are not cancelled.', 'skip'],
  ['The room has requested bookings.', 'skip'],
])('if a 409 says "%s", a removed room is a %s', async (words, status) => {
  const contract = CONTRACT.replace('The room has confirmed bookings.', words);
  const options = ['--only', 'removeRoom'];
  const { report } = await runOn(new Hotel('removes').handler, contract, options);
  const found = report.requirements.find(({ id }) => id === 'removeRoom.in-use');
  expect(found?.status ?? 'skip').toBe(status);
});

test.each<OnRemoval>(['removes', 'refuses and removes'])(
  'a hotel that %s a room with bookings is not conformant',
  async (onRemoval) => {
    const hotel = new Hotel(onRemoval);
    const { broken } = await runOn(hotel.handler, CONTRACT, ['--only', 'removeRoom.in-use']);
    expect(broken).toEqual(['removeRoom.in-use']);
  },
);

test('bookings in another state than the contract names do not keep a room', async () => {
  const hotel = new Hotel('removes', 'requested');
  const { broken, report } = await runOn(hotel.handler, CONTRACT, ['--only', 'removeRoom.in-use']);
  expect(broken).toEqual([]);
  expect(report.requirements.map(({ status }) => status)).toEqual(['skip']);
});

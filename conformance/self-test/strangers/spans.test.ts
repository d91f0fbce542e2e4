/** Spans of days in items that name an item of another collection, such as bookings of rooms. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

/** @param exampleRoom a room that is somebody else's */
const contractOf = (exampleRoom: number) => `
openapi: 3.0.3
info: {title: Bookings, version: '1'}
paths:
  /rooms:
    get:
      operationId: listRooms
      responses:
        '200':
          description: all
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Room'}}
    post:
      operationId: addRoom
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewRoom'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
        '422': {description: wrong}
  /rooms/{room_id}:
    parameters: [{name: room_id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readRoom
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
        '404': {description: absent}
        '422': {description: wrong}
    delete:
      operationId: removeRoom
      responses:
        '204': {description: removed}
        '404': {description: absent}
        '422': {description: wrong}
  /bookings:
    post:
      operationId: book
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewBooking'}
            example:
              {room_id: ${exampleRoom}, arrival: '2031-05-01', departure: '2031-05-04', guests: 1}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}
        '404': {description: no such room}
        '409': {description: the room is taken}
        '422': {description: wrong}
  /bookings/{booking_id}:
    parameters: [{name: booking_id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readBooking
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Booking'}}}
        '404': {description: absent}
        '422': {description: wrong}
components:
  schemas:
    NewRoom:
      type: object
      additionalProperties: false
      required: [name]
      properties: {name: {type: string, minLength: 1, maxLength: 30}}
    Room:
      type: object
      required: [id, name]
      properties: {id: {type: integer}, name: {type: string}}
    NewBooking:
      type: object
      additionalProperties: false
      required: [room_id, arrival, departure, guests]
      properties:
        room_id: {type: integer, minimum: 1}
        arrival: {type: string, format: date}
        departure: {type: string, format: date}
        guests: {type: integer, minimum: 1, maximum: 60}
    Booking:
      type: object
      required: [id, room_id, arrival, departure, guests]
      properties:
        id: {type: integer}
        room_id: {type: integer}
        arrival: {type: string, format: date}
        departure: {type: string, format: date}
        guests: {type: integer}
`;

interface Booking {
  room_id: number;
  arrival: string;
  departure: string;
  guests: number;
}

interface Errors {
  swapsDays?: boolean;
  losesGuests?: boolean;
}

/** More guests than this fit in no room. The contract does not say so. */
const MOST_GUESTS = 2;

/** The room of somebody else. */
const FOREIGN = 1;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

class Service {
  /** The rooms that were booked. */
  readonly booked: number[] = [];
  readonly #rooms = new Map<number, unknown>([[FOREIGN, { id: FOREIGN, name: 'of others' }]]);
  readonly #bookings = new Map<number, Booking>();
  readonly #errors: Errors;
  #last = FOREIGN;

  constructor(errors: Errors = {}) {
    this.#errors = errors;
  }

  readonly handler: Handler = (call) => {
    const [, collection, id, ...more] = call.path.split('/');
    if (more.length > 0 || (collection !== 'rooms' && collection !== 'bookings')) {
      return [404];
    }
    if (id !== undefined && !/^-?\d+$/.test(id)) {
      return [422];
    }
    if (collection === 'rooms') {
      return id === undefined ? this.#allRooms(call) : this.#room(call, Number(id));
    }
    return id === undefined ? this.#book(call) : this.#booking(call, Number(id));
  };

  #allRooms({ method, json }: Call): Reply {
    if (method === 'GET') {
      return [200, [...this.#rooms.values()]];
    }
    const { name, ...others } = isObject(json) ? json : {};
    const isName = typeof name === 'string' && name !== '' && [...name].length <= 30;
    if (method !== 'POST' || !isName || Object.keys(others).length > 0) {
      return [method === 'POST' ? 422 : 405];
    }
    this.#last += 1;
    const room = { id: this.#last, name };
    this.#rooms.set(room.id, room);
    return [201, room];
  }

  #room({ method }: Call, id: number): Reply {
    const room = this.#rooms.get(id);
    if (room === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      this.#rooms.delete(id);
      return [204];
    }
    return method === 'GET' ? [200, room] : [405];
  }

  #book({ method, json }: Call): Reply {
    if (method !== 'POST') {
      return [405];
    }
    const { room_id, arrival, departure, guests, ...others } = isObject(json) ? json : {};
    const areNumbers = Number.isInteger(room_id) && Number.isInteger(guests);
    const fits = Number(room_id) > 0 && Number(guests) > 0 && Number(guests) <= MOST_GUESTS;
    if (!areNumbers || !fits || !isDay(arrival) || !isDay(departure) || departure <= arrival) {
      return [422];
    }
    if (Object.keys(others).length > 0) {
      return [422];
    }
    const booking: Booking = {
      room_id: Number(room_id),
      arrival,
      departure,
      guests: Number(guests),
    };
    if (!this.#rooms.has(booking.room_id)) {
      return [404];
    }
    const isTaken = [...this.#bookings.values()].some(
      (one) =>
        one.room_id === booking.room_id && one.arrival < departure && one.departure > arrival,
    );
    if (isTaken) {
      return [409];
    }
    this.booked.push(booking.room_id);
    this.#last += 1;
    const kept = { ...booking };
    if (this.#errors.swapsDays) {
      kept.arrival = departure;
      kept.departure = arrival;
    }
    if (this.#errors.losesGuests) {
      kept.guests = 1;
    }
    this.#bookings.set(this.#last, kept);
    return [201, { id: this.#last, ...booking }];
  }

  #booking({ method }: Call, id: number): Reply {
    const booking = this.#bookings.get(id);
    if (booking === undefined) {
      return [404];
    }
    return method === 'GET' ? [200, { id, ...booking }] : [405];
  }
}

test('spans are made in rooms of the run, end after they begin, and have laws', async () => {
  const service = new Service();
  const { code, broken, passed, report } = await runOn(service.handler, contractOf(FOREIGN));

  expect([code, broken, report.never_succeeded]).toEqual([0, [], []]);
  expect(passed).toEqual(
    expect.arrayContaining([
      'book.items.ids',
      'book.items.read-your-write',
      'book.body.departure.format',
      'book.body.room_id.minimum',
    ]),
  );
});

test('no other room than those of the run is booked where a room is under test', async () => {
  const service = new Service();
  await runOn(service.handler, contractOf(FOREIGN + 7), ['--only', 'book.body.room_id']);
  expect(service.booked.length).toBeGreaterThan(0);
  expect(service.booked).not.toContain(FOREIGN);
});

test.each<Errors>([{ swapsDays: true }, { losesGuests: true }])(
  'a service with %o is not conformant',
  async (errors) => {
    const { code } = await runOn(new Service(errors).handler, contractOf(FOREIGN));
    expect(code).toBe(1);
  },
);

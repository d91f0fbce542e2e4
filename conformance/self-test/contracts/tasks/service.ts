/** A service that conforms to the contract beside it, written from its text alone. */
import { isObject } from '../../../engine/contract/pointers.ts';
import { type Json, jsonOf } from '../../messages.ts';
import { NOTHING, type Planted } from '../../planted.ts';
import { respond, type Service, type ServiceRequest, type ServiceResponse } from '../../service.ts';
import { isRightId, wrongBody, wrongParameter } from './rules.ts';

export const KEY = 'tasks-key';

interface Task extends Json {
  id: number;
}

const PATH = /^\/v1\/tasks(?:\/([^/]+)(\/picture)?)?$/;
const SESSION_COOKIE = /(?:^|; )session=([^;]*)/;
const SESSION = /^[A-Za-z0-9]{4,12}$/;
const JSON_TYPE = /^application\/json\b/;
/** Letters that take more than three bytes in UTF-8, or that are shown as pictures. */
const WIDE_LETTER = /\p{Extended_Pictographic}|[^\0-\uffff]/u;

const NO_CONTENT: ServiceResponse = { status: 204, headers: {}, body: '' };

const PAGE_LENGTH = 10;

export function createTasks(planted: Planted = NOTHING): Service {
  const tasks = new Tasks(planted);
  return async (request) => {
    const { method, headers } = request;
    const { pathname, searchParams } = new URL(request.target, 'http://tasks.example');
    const path = PATH.exec(pathname);
    if (!path) {
      return refuse(404, 'there is no such path');
    }
    const [, id, picture] = path;
    const allow = allowedMethods(id, picture);
    if (!allow.split(', ').includes(method)) {
      return refuse(405, 'there is no such method', { allow });
    }
    if (headers['x-key'] !== KEY) {
      return refuse(401, 'the key is wrong');
    }
    const [, session = ''] = SESSION_COOKIE.exec(headers['cookie'] ?? '') ?? [];
    if (!SESSION.test(session)) {
      return refuse(400, 'the session is wrong');
    }
    if (id === undefined) {
      if (method === 'GET') {
        return tasks.list(searchParams, headers);
      }
      return tasks.add(request);
    }
    if (!isRightId(id)) {
      return refuse(400, 'ids are whole numbers');
    }
    if (picture === undefined) {
      return tasks.serveOne(Number(id), request);
    }
    return tasks.setPicture(Number(id), headers['content-type'] ?? '');
  };
}

function allowedMethods(id: string | undefined, picture: string | undefined): string {
  if (picture !== undefined) {
    return 'PUT';
  }
  return id === undefined ? 'GET, POST' : 'GET, PUT, DELETE';
}

class Tasks {
  readonly #planted: Planted;
  readonly #tasks = new Map<number, Task>();
  #lastId = 0;

  constructor(planted: Planted) {
    this.#planted = planted;
  }

  list(query: URLSearchParams, headers: Record<string, string>): ServiceResponse {
    const wrong = wrongParameter(query, headers['x-page-size']);
    if (wrong !== undefined && !this.#planted('parameters-are-not-checked')) {
      return refuse(400, wrong);
    }
    const end = this.#planted('list-without-the-newest') ? -1 : undefined;
    const newest = [...this.#tasks.values()].slice(-PAGE_LENGTH, end);
    return respond(
      200,
      newest.map((task) => this.#show(task)),
    );
  }

  serveOne(id: number, request: ServiceRequest): ServiceResponse {
    const { method } = request;
    const task = this.#tasks.get(id);
    if (!task) {
      if (method === 'DELETE' && this.#planted('delete-of-nothing-is-204')) {
        return NO_CONTENT;
      }
      return refuse(404, 'there is no such task');
    }
    if (method === 'GET') {
      return respond(200, this.#show(task));
    }
    if (method === 'PUT') {
      return this.#replace(task, request);
    }
    if (!this.#planted('delete-removes-nothing')) {
      this.#tasks.delete(id);
    }
    return NO_CONTENT;
  }

  setPicture(id: number, type: string): ServiceResponse {
    if (!this.#tasks.has(id)) {
      return refuse(404, 'there is no such task');
    }
    if (type === 'image/tiff') {
      return NO_CONTENT;
    }
    return refuse(415, 'send an image');
  }

  add(request: ServiceRequest): ServiceResponse {
    const sent = this.#read(request);
    if ('refusal' in sent) {
      return sent.refusal;
    }
    const id = this.#nextId();
    const made: Task = { ...sent.body, id };
    this.#tasks.set(id, made);
    if (this.#cannotStore(made)) {
      return respond(500, { message: 'the title cannot be stored' });
    }
    const location = `/v1/tasks/${this.#planted('location-of-another') ? 1 : id}`;
    return respond(201, this.#show(made), { location });
  }

  #replace(task: Task, request: ServiceRequest): ServiceResponse {
    const sent = this.#read(request);
    if ('refusal' in sent) {
      return sent.refusal;
    }
    // A replacement uses up an id, too.
    this.#nextId();
    const before = this.#planted('put-merges') ? task : {};
    const made: Task = { ...before, ...sent.body, id: task.id };
    if (!this.#planted('put-is-lost')) {
      this.#tasks.set(made.id, made);
    }
    if (this.#cannotStore(made)) {
      return respond(500, { message: 'the title cannot be stored' });
    }
    return respond(200, this.#show(made));
  }

  /** The body as it is kept, or why it is refused. */
  #read({ headers, body }: ServiceRequest): { body: Json } | { refusal: ServiceResponse } {
    if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
      return { refusal: refuse(415, 'only JSON is known') };
    }
    const sent: unknown = jsonOf({ body });
    if (!isObject(sent)) {
      return { refusal: refuse(400, 'the body is not an object') };
    }
    const wrong = wrongBody(sent);
    const isTooLarge = wrong === 'priority' && Number(sent['priority']) > 10;
    const isIgnored = isTooLarge && this.#planted('maximum-is-not-checked');
    if (wrong !== undefined && !isIgnored) {
      return { refusal: refuse(400, wrong || 'a name is empty') };
    }
    if (this.#planted('text-is-trimmed')) {
      sent['title'] = String(sent['title']).trim();
    }
    if (this.#planted('number-is-rounded') && sent['priority']) {
      sent['priority'] = Math.ceil(Number(sent['priority']));
    }
    return { body: sent };
  }

  #nextId(): number {
    if (this.#planted('ids-come-twice')) {
      return this.#tasks.size + 1;
    }
    this.#lastId++;
    return this.#lastId;
  }

  #cannotStore({ title }: Task): boolean {
    return this.#planted('wide-letters-end-in-500') && WIDE_LETTER.test(String(title));
  }

  #show(task: Task): Json {
    const state = this.#planted('another-default') ? 'done' : 'open';
    const shown: Json = { notes: null, state, labels: [], children: [], ...task };
    if (this.#planted('required-member-is-missing')) {
      delete shown['children'];
    }
    if (this.#planted('list-shown-as-set')) {
      shown['labels'] = (shown['labels'] as string[]).toSorted();
    }
    if (this.#planted('empty-notes-become-null')) {
      shown['notes'] ||= null;
    }
    return shown;
  }
}

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  respond(status, { message }, headers);

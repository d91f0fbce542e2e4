/** A service that conforms to the contract beside it, written from its text alone. */
import type { Service, ServiceRequest, ServiceResponse } from '../../service.ts';

export const KEY = 'tasks-key';

type Json = Record<string, unknown>;

interface Task extends Json {
  id: number;
}

/** Why a value is wrong, by the name of the rule that says so. */
type Rules<T> = Record<string, (value: T) => boolean>;

const QUERY: Rules<URLSearchParams> = {
  'tags: at most three': (query) => (query.get('tags')?.split(',').length ?? 0) > 3,
  'tags: no two alike': (query) => {
    const tags = query.get('tags')?.split(',') ?? [];
    return new Set(tags).size < tags.length;
  },
  'tags: short lower-case words': (query) =>
    query
      .get('tags')
      ?.split(',')
      .some((tag) => !/^[a-z]{1,8}$/.test(tag)) ?? false,
  'points: whole numbers': (query) => query.getAll('points').some((one) => !/^-?\d+$/.test(one)),
  'points: at least 1': (query) => query.getAll('points').some((one) => Number(one) < 1),
  'points: at most 13': (query) => query.getAll('points').some((one) => Number(one) > 13),
  'between: with from': (query) => query.has('between[to]') && !query.has('between[from]'),
  'between: from and to alone': (query) =>
    [...query.keys()].some((name) => name.startsWith('between[') && !/^between\[(from|to)\]$/.test(name)),
  'between: not negative': (query) =>
    ['between[from]', 'between[to]'].some((name) => query.has(name) && !/^\d+$/.test(query.get(name)!)),
  'done: true or false': (query) => query.has('done') && !/^(true|false)$/.test(query.get('done')!),
};

const HEADERS: Rules<Record<string, string>> = {
  'page size: a whole number': (headers) => !/^-?(0|[1-9]\d*)$/.test(headers['x-page-size'] ?? '1'),
  'page size: at least 1': (headers) => Number(headers['x-page-size'] ?? '1') < 1,
  'page size: at most 50': (headers) => Number(headers['x-page-size'] ?? '1') > 50,
};

const SESSION: Rules<string | undefined> = {
  'session: is there': (session) => session === undefined,
  'session: at least 4': (session) => session !== undefined && session.length < 4,
  'session: at most 12': (session) => (session?.length ?? 0) > 12,
  'session: letters and digits': (session) => session !== undefined && !/^[A-Za-z0-9]*$/.test(session),
};

const has = (body: Json, name: string) => Object.hasOwn(body, name);
const KNOWN = ['title', 'notes', 'priority', 'state', 'labels'];
const isText = (value: unknown): value is string => typeof value === 'string';
const lengthOf = (text: string) => [...text].length;

const BODY: Rules<Json> = {
  'title: is there': (body) => !has(body, 'title'),
  'title: a text': (body) => has(body, 'title') && !isText(body['title']),
  'title: not empty': (body) => body['title'] === '',
  'title: at most 40': ({ title }) => isText(title) && lengthOf(title) > 40,
  'notes: a text or null': (body) => has(body, 'notes') && body['notes'] !== null && !isText(body['notes']),
  'notes: at most 100': ({ notes }) => isText(notes) && lengthOf(notes) > 100,
  'priority: a number': (body) => has(body, 'priority') && typeof body['priority'] !== 'number',
  'priority: more than 0': ({ priority }) => typeof priority === 'number' && priority <= 0,
  'priority: at most 10': ({ priority }) => typeof priority === 'number' && priority > 10,
  'state: open or done': (body) => has(body, 'state') && !['open', 'done'].includes(body['state'] as string),
  'labels: a list': (body) => has(body, 'labels') && !Array.isArray(body['labels']),
  'labels: at most 4': ({ labels }) => Array.isArray(labels) && labels.length > 4,
  'labels: texts': ({ labels }) => Array.isArray(labels) && !labels.every(isText),
  'labels: not empty': ({ labels }) => Array.isArray(labels) && labels.includes(''),
  'labels: no two alike': ({ labels }) => Array.isArray(labels) && new Set(labels.map(toText)).size < labels.length,
  'known names': (body) => Object.keys(body).some((name) => !KNOWN.includes(name)),
};

const toText = (value: unknown) => JSON.stringify(value);

/** The name of a rule that the value breaks. */
function broken<T>(rules: Rules<T>, value: T): string | undefined {
  return Object.keys(rules).find((name) => rules[name]!(value));
}

export function createTasks(): Service {
  const tasks = new Map<number, Task>();
  let last = 0;
  const show = (task: Task) => ({ notes: null, state: 'open', labels: [], children: [], ...task });

  return async ({ method, target, headers, body }: ServiceRequest): Promise<ServiceResponse> => {
    const { pathname, searchParams } = new URL(target, 'http://tasks.example');
    const path = /^\/v1\/tasks(?:\/([^/]+))?$/.exec(pathname);
    if (!path) return refuse(404, 'there is no such path');
    if (headers['x-key'] !== KEY) return refuse(401, 'the key is wrong');
    const cookie = /(?:^|; )session=([^;]*)/.exec(headers['cookie'] ?? '')?.[1];
    const wrong = broken(SESSION, cookie);
    if (wrong !== undefined) return refuse(400, wrong);
    const id = path[1];
    if (id === undefined && method === 'GET') {
      const why = broken(QUERY, searchParams) ?? broken(HEADERS, headers);
      if (why !== undefined) return refuse(400, why);
      return respond(200, [...tasks.values()].slice(-10).map(show));
    }
    if (id !== undefined && !/^[1-9]\d{0,17}$/.test(id)) return refuse(400, 'ids are whole numbers');
    const task = tasks.get(Number(id));
    if (id !== undefined && !task) return refuse(404, 'there is no such task');
    if (method === 'GET') return respond(200, show(task!));
    if (method === 'DELETE') {
      tasks.delete(Number(id));
      return { status: 204, headers: {}, body: '' };
    }
    if (method !== (id === undefined ? 'POST' : 'PUT')) return refuse(405, 'there is no such method');
    if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return refuse(415, 'only JSON is known');
    const sent = parse(body);
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
    if (!isObject) return refuse(400, 'the body is not an object');
    const why = broken(BODY, sent as Json);
    if (why !== undefined) return refuse(400, why);
    const made: Task = { ...(sent as Json), id: id === undefined ? ++last : Number(id) };
    tasks.set(made.id, made);
    if (id !== undefined) return respond(200, show(made));
    return respond(201, show(made), { location: `/v1/tasks/${made.id}` });
  };
}

function respond(status: number, value: unknown, headers: Record<string, string> = {}): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

function refuse(status: number, message: string): ServiceResponse {
  return respond(status, { message });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** A service that conforms to the contract beside it, written from its text alone. */
import { isObject, type Json, jsonOf } from '../../mutation/operator.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../service.ts';

export const KEY = 'tasks-key';

interface Task extends Json {
  id: number;
}

/** Whether each value of a request is right, by its name. */
type Rules<T> = Record<string, (value: T) => boolean>;

/** The values of a list that is written as one parameter. */
const listed = (text: string | null) => text?.split(',') ?? [];

const QUERY: Rules<URLSearchParams> = {
  tags: (query) => {
    const tags = listed(query.get('tags'));
    return tags.length <= 3 && isUnique(tags) && tags.every((tag) => /^[a-z]{1,8}$/.test(tag));
  },
  points: (query) => query.getAll('points').every((one) => isFrom(1, one) && Number(one) <= 13),
  between: (query) => {
    const names = [...query.keys()].filter((name) => name.startsWith('between['));
    const isComplete = names.length === 0 || names.includes('between[from]');
    return isComplete && names.every((name) => /\[(from|to)\]$/.test(name) && isFrom(0, query.get(name)!));
  },
  done: (query) => /^(true|false)$/.test(query.get('done') ?? 'true'),
};

const isFrom = (least: number, text: string) => /^(0|[1-9]\d*)$/.test(text) && Number(text) >= least;
const isUnique = (values: readonly unknown[]) =>
  new Set(values.map((value) => JSON.stringify(value))).size === values.length;
const isText = (value: unknown, least: number, most: number) =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;

const BODY: Rules<Json> = {
  title: ({ title }) => isText(title, 1, 40),
  notes: ({ notes = null }) => notes === null || isText(notes, 0, 100),
  priority: ({ priority = 1 }) => typeof priority === 'number' && priority > 0 && priority <= 10,
  state: ({ state = 'open' }) => state === 'open' || state === 'done',
  labels: ({ labels = [] }) =>
    Array.isArray(labels) && labels.length <= 4 && isUnique(labels) && labels.every((one) => isText(one, 1, Infinity)),
};

/** The name of a value that is wrong. */
function wrongIn<T>(rules: Rules<T>, value: T): string | undefined {
  return Object.keys(rules).find((name) => !rules[name]!(value));
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
    const session = /(?:^|; )session=([^;]*)/.exec(headers['cookie'] ?? '')?.[1] ?? '';
    if (!/^[A-Za-z0-9]{4,12}$/.test(session)) return refuse(400, 'the session is wrong');
    const id = path[1];
    if (id === undefined && method === 'GET') {
      const size = headers['x-page-size'] ?? '10';
      const wrong = isFrom(1, size) && Number(size) <= 50 ? wrongIn(QUERY, searchParams) : 'X-Page-Size';
      return wrong === undefined ? respond(200, [...tasks.values()].slice(-10).map(show)) : refuse(400, wrong);
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
    const sent: unknown = jsonOf({ body });
    if (!isObject(sent)) return refuse(400, 'the body is not an object');
    const wrong = Object.keys(sent).find((name) => !Object.hasOwn(BODY, name)) ?? wrongIn(BODY, sent);
    if (wrong !== undefined) return refuse(400, wrong || 'a name is empty');
    const made: Task = { ...sent, id: id === undefined ? ++last : Number(id) };
    tasks.set(made.id, made);
    if (id !== undefined) return respond(200, show(made));
    return respond(201, show(made), { location: `/v1/tasks/${made.id}` });
  };
}

function respond(status: number, value: unknown, headers: Record<string, string> = {}): ServiceResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

const refuse = (status: number, message: string) => respond(status, { message });

/** A service that conforms to the contract beside it, written from its text alone. */
import { isObject, type Json, jsonOf } from '../../mutation/operator.ts';
import { NOTHING, type Planted } from '../../planted.ts';
import { respond, type Service, type ServiceRequest, type ServiceResponse } from '../../service.ts';

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
    return (
      isComplete &&
      names.every((name) => /\[(from|to)\]$/.test(name) && isFrom(0, query.get(name)!))
    );
  },
  done: (query) => /^(true|false)$/.test(query.get('done') ?? 'true'),
};

const isFrom = (least: number, text: string) =>
  /^(0|[1-9]\d*)$/.test(text) && Number(text) >= least;
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
    Array.isArray(labels) &&
    labels.length <= 4 &&
    isUnique(labels) &&
    labels.every((one) => isText(one, 1, Infinity)),
};

function wrongIn<T>(rules: Rules<T>, value: T): string | undefined {
  return Object.keys(rules).find((name) => !rules[name]!(value));
}

export function createTasks(planted: Planted = NOTHING): Service {
  const tasks = new Map<number, Task>();
  let last = 0;
  const state = planted('another-default') ? 'done' : 'open';
  const show = (task: Task) => {
    const all: Json = { notes: null, state, labels: [], children: [], ...task };
    if (planted('required-member-is-missing')) {
      delete all['children'];
    }
    if (planted('list-shown-as-set')) {
      all['labels'] = (all['labels'] as string[]).toSorted();
    }
    if (planted('empty-notes-become-null')) {
      all['notes'] ||= null;
    }
    return all;
  };

  return async ({ method, target, headers, body }: ServiceRequest): Promise<ServiceResponse> => {
    const { pathname, searchParams } = new URL(target, 'http://tasks.example');
    const path = /^\/v1\/tasks(?:\/([^/]+)(\/picture)?)?$/.exec(pathname);
    if (!path) {
      return refuse(404, 'there is no such path');
    }
    const id = path[1];
    const allow = path[2] ? 'PUT' : id === undefined ? 'GET, POST' : 'GET, PUT, DELETE';
    if (!allow.split(', ').includes(method)) {
      return refuse(405, 'there is no such method', { allow });
    }
    if (headers['x-key'] !== KEY) {
      return refuse(401, 'the key is wrong');
    }
    const type = headers['content-type'] ?? '';
    const session = /(?:^|; )session=([^;]*)/.exec(headers['cookie'] ?? '')?.[1] ?? '';
    if (!/^[A-Za-z0-9]{4,12}$/.test(session)) {
      return refuse(400, 'the session is wrong');
    }
    if (id === undefined && method === 'GET') {
      const size = headers['x-page-size'] ?? '10';
      const wrong =
        isFrom(1, size) && Number(size) <= 50 ? wrongIn(QUERY, searchParams) : 'X-Page-Size';
      if (wrong !== undefined && !planted('parameters-are-not-checked')) {
        return refuse(400, wrong);
      }
      const end = planted('list-without-the-newest') ? -1 : undefined;
      return respond(200, [...tasks.values()].slice(-10, end).map(show));
    }
    if (id !== undefined && !(/^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n)) {
      return refuse(400, 'ids are whole numbers');
    }
    const task = tasks.get(Number(id));
    if (id !== undefined && !task) {
      if (method === 'DELETE' && planted('delete-of-nothing-is-204')) {
        return { status: 204, headers: {}, body: '' };
      }
      return refuse(404, 'there is no such task');
    }
    if (method === 'GET') {
      return respond(200, show(task!));
    }
    if (method === 'DELETE') {
      if (!planted('delete-removes-nothing')) {
        tasks.delete(Number(id));
      }
      return { status: 204, headers: {}, body: '' };
    }
    if (path[2]) {
      if (type === 'image/tiff') {
        return { status: 204, headers: {}, body: '' };
      }
      return refuse(415, 'send an image');
    }
    if (!/^application\/json\b/.test(type)) {
      return refuse(415, 'only JSON is known');
    }
    const sent: unknown = jsonOf({ body });
    if (!isObject(sent)) {
      return refuse(400, 'the body is not an object');
    }
    const wrong =
      Object.keys(sent).find((name) => !Object.hasOwn(BODY, name)) ?? wrongIn(BODY, sent);
    const mostAreNotChecked =
      planted('maximum-is-not-checked') && wrong === 'priority' && Number(sent['priority']) > 10;
    if (wrong !== undefined && !mostAreNotChecked) {
      return refuse(400, wrong || 'a name is empty');
    }
    if (planted('text-is-trimmed')) {
      sent['title'] = String(sent['title']).trim();
    }
    if (planted('number-is-rounded') && sent['priority']) {
      sent['priority'] = Math.ceil(Number(sent['priority']));
    }
    const next = planted('ids-come-twice') ? tasks.size + 1 : ++last;
    const made: Task = {
      ...(planted('put-merges') && task),
      ...sent,
      id: id === undefined ? next : Number(id),
    };
    if (id === undefined || !planted('put-is-lost')) {
      tasks.set(made.id, made);
    }
    if (
      planted('wide-letters-end-in-500') &&
      /\p{Extended_Pictographic}|[^\0-\uffff]/u.test(String(sent['title']))
    ) {
      return respond(500, { message: 'the title cannot be stored' });
    }
    if (id !== undefined) {
      return respond(200, show(made));
    }
    return respond(201, show(made), {
      location: `/v1/tasks/${planted('location-of-another') ? 1 : made.id}`,
    });
  };
}

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  respond(status, { message }, headers);

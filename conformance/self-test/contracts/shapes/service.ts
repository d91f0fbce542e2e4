/** A service that conforms to the contract beside it, written from its text alone. */
import { isObject, type Json, jsonOf } from '../../mutation/operator.ts';
import { NOTHING, type Planted } from '../../planted.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../service.ts';

const TYPE = 'application/vnd.shapes+json';

const isWhole = (value: unknown): value is number => Number.isInteger(value);
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && [...value].length <= most;
const isPoint = (value: unknown) =>
  isObject(value) && isWhole(value['x']) && isWhole(value['y']) && Object.keys(value).length === 2;

/** Whether a value is right, by its name. */
type Rules = Record<string, (value: any) => boolean>;

const COMMON: Rules = {
  kind: (kind) => typeof kind === 'string' && Object.hasOwn(SIZES, kind),
  colour: (colour) => isText(colour, 20) && !['', 'none', 'transparent'].includes(colour),
  note: (note) => isText(note, 30),
  weight: (weight) =>
    typeof weight === 'number' && Number.isInteger(weight * 2) && weight > 0 && weight < 100,
  size: (size) => {
    if (isWhole(size)) {
      return size >= 1 && size <= 9;
    }
    return isText(size, 1) && /^[SML]$/.test(size);
  },
};

/** The property that each kind needs, beside the common ones. */
const SIZES: Record<string, Rules> = {
  circle: { radius: (radius) => isWhole(radius) && radius >= 1 },
  square: { side: (side) => isWhole(side) && side >= 1 },
  path: {
    points: (points) => Array.isArray(points) && points.length >= 2 && points.every(isPoint),
  },
};

/** A name whose value is wrong, missing or unknown. */
function wrongIn(body: Json): string | undefined {
  const { kind } = body;
  const rules: Rules = { ...COMMON, ...(typeof kind === 'string' && SIZES[kind]) };
  const needed = Object.keys(rules).filter(
    (name) => name === 'kind' || !Object.hasOwn(COMMON, name),
  );
  return [...needed, ...Object.keys(body)].find(
    (name) =>
      !Object.hasOwn(body, name) || !Object.hasOwn(rules, name) || !rules[name]!(body[name]),
  );
}

export function createShapes(planted: Planted = NOTHING): Service {
  const shapes = new Map<string, Json>();
  let last = 0;
  /** What is kept in place of `sent`. */
  const stored = (sent: Json, old: Json | undefined): Json => {
    const { note, points } = sent as { note?: string; points?: Json[] };
    if (planted('colour-in-lower-case') && sent['colour']) {
      sent['colour'] = String(sent['colour']).toLowerCase();
    }
    if (planted('note-is-cut') && note) {
      sent['note'] = note.slice(0, 29);
    }
    if (planted('note-is-not-stored')) {
      delete sent['note'];
    }
    if (planted('half-weights-are-cut') && sent['weight']) {
      sent['weight'] = Math.floor(Number(sent['weight'])) || 0.5;
    }
    if (planted('points-after-the-second-are-lost') && points) {
      sent['points'] = points.slice(0, 2);
    }
    if (planted('radius-is-32-bit') && sent['radius']) {
      sent['radius'] = Number(sent['radius']) | 0;
    }
    const colour = planted('default-is-missing')
      ? {}
      : { colour: planted('another-default') ? 'white' : 'black' };
    return { ...colour, ...(planted('put-merges') && old), ...sent };
  };
  return async ({ method, target, headers, body }: ServiceRequest): Promise<ServiceResponse> => {
    const path = /^\/shapes(?:\/([^/?]+))?$/.exec(target);
    if (!path) {
      return refuse(404, 'There is no such path.');
    }
    const name = path[1] === undefined ? undefined : decodeURIComponent(path[1]);
    const allow = name === undefined ? 'GET, POST' : 'GET, PUT, DELETE';
    if (!allow.split(', ').includes(method)) {
      return refuse(405, 'There is no such method.', { allow });
    }
    if (name !== undefined && !shapes.has(name) && !(method === 'PUT' && planted('put-creates'))) {
      return refuse(404, 'There is no such shape.');
    }
    if (method === 'GET' && name !== undefined) {
      return respond(200, shapes.get(name));
    }
    if (method === 'DELETE' && name !== undefined) {
      shapes.delete(planted('delete-removes-the-first') ? [...shapes.keys()][0]! : name);
      return { status: 204, headers: {}, body: '' };
    }
    if (method === 'GET') {
      const all = [...shapes.values()].slice(planted('list-ends-at-ten') ? -10 : 0);
      return respond(200, { [planted('list-under-another-name') ? 'items' : 'shapes']: all });
    }
    const type = headers['content-type'];
    const text = /^text\/plain\b/.test(type ?? '') && name === undefined;
    if (type !== TYPE && !text && !planted('media-type-is-not-checked')) {
      return refuse(415, `Send ${TYPE}.`);
    }
    const sent: unknown = text
      ? { kind: 'circle', radius: 1, note: String(body) }
      : jsonOf({ body });
    if (!isObject(sent)) {
      return refuse(422, 'The body is not an object.');
    }
    const wrong = wrongIn(sent);
    const isUnchecked =
      planted('bound-is-not-checked') && wrong === 'weight' && Number(sent['weight']) >= 100;
    if (wrong !== undefined && !isUnchecked) {
      return refuse(planted('refusal-is-500') ? 500 : 422, `Wrong: ${wrong}.`);
    }
    const next = `s${(planted('names-repeat-after-five') ? ++last % 5 : ++last).toString(16).padStart(6, '0')}`;
    const shape = { ...stored(sent, shapes.get(name ?? '')), name: name ?? next };
    if (!planted('create-stores-nothing') || name !== undefined) {
      shapes.set(shape.name, shape);
    }
    return respond(name === undefined && !planted('create-is-200') ? 201 : 200, shape);
  };
}

function respond(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ServiceResponse {
  return { status, headers: { 'content-type': TYPE, ...headers }, body: JSON.stringify(value) };
}

const refuse = (status: number, title: string, headers: Record<string, string> = {}) =>
  respond(
    status,
    { title },
    { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
  );

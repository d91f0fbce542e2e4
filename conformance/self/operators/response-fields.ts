/** Fields of successful responses: left out, of another type, with another value. */
import { type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import type { Json } from '../mutate/request.ts';
import { isObject } from '../mutate/request.ts';
import { type Api, type Field, has, isRequired, oneOfEachField, shownBy } from './api.ts';
import { DROP, editAt, fillAt, type Place } from './edit.ts';
import { idOf, type Operator, type Variant } from './operator.ts';
import type { Operation } from '../../engine/contract/operations.ts';

type Edit = (value: any, place: Place, field: Field) => unknown;

function perField(
  name: string,
  description: string,
  fits: (field: Field, api: Api, operation: Operation) => boolean,
  edit: Edit,
): Operator {
  return {
    name,
    description,
    variants: (api) =>
      oneOfEachField(api.shown, name)
        .filter(([operation, field]) => fits(field, api, operation))
        .map(([operation, field]) =>
          variant(
            operation,
            field,
            showingAs(idOf(operation), (shown) =>
              editAt(shown, field.path, (value, place) => edit(value, place, field)),
            ),
          ),
        ),
  };
}

function variant(operation: Operation, field: Field, mutate: Mutate): Variant {
  return { at: `${operation.operationId}/${field.name}`, level: field.level, mutate };
}

const isProperty = ({ path }: Field) => path.at(-1) !== '*';
const isItem = ({ path }: Field) => path.at(-1) === '*';

/** The sibling with a value of the same type that comes next. */
function nextSibling({ holder, name }: Place): string | undefined {
  const names = Object.keys(holder);
  const type = typeof (holder as Json)[name];
  const others = [...names.slice(names.indexOf(name) + 1), ...names.slice(0, names.indexOf(name))];
  return others.find((other) => typeof (holder as Json)[other] === type && (holder as Json)[other] !== null);
}

function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value[0] ?? {};
  return value === null ? '' : [value];
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return Array.isArray(value) ? [] : {};
}

function othered(value: unknown, { shape }: Field): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  const choice = shape.choices?.find((one) => one !== value && one !== null);
  return choice === undefined ? `${String(value)}x` : choice;
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const responseFields: Operator[] = [
  perField(
    'drop-field',
    'A field is left out of a response.',
    (field, api, operation) => isProperty(field) && isRequired(api, shownBy(operation)!, field),
    () => DROP,
  ),
  perField(
    'null-field',
    'A field is null in a response.',
    (field) => isProperty(field),
    () => null,
  ),
  perField(
    'retype-field',
    'A field of a response has a value of another type.',
    () => true,
    (value) => retyped(value),
  ),
  perField(
    'empty-field',
    'A field of a response is empty.',
    (field) => isProperty(field) && has(field, 'string', 'number', 'integer', 'array'),
    (value) => (value === null ? value : emptied(value)),
  ),
  perField(
    'other-value',
    'A field of a response has another value of its type.',
    (field) => has(field, 'string', 'boolean', 'number', 'integer'),
    (value, _, field) => (value === null ? value : othered(value, field)),
  ),
  {
    name: 'rename-field',
    description: 'A field of a response has another name, in camel case.',
    variants: (api) =>
      oneOfEachField(api.shown, 'rename-field')
        .filter(([operation, field]) => field.path.at(-1)!.includes('_') && isRequired(api, shownBy(operation)!, field))
        .map(([operation, field]) => {
          const rename = (holder: unknown) =>
            isObject(holder)
              ? Object.fromEntries(
                  Object.entries(holder).map(([name, one]) => [name === field.path.at(-1) ? camel(name) : name, one]),
                )
              : holder;
          return variant(
            operation,
            field,
            showingAs(idOf(operation), (shown) =>
              field.path.length === 1 ? rename(shown) : editAt(shown, field.path.slice(0, -1), rename),
            ),
          );
        }),
  },
  perField(
    'swap-fields',
    'A field of a response has the value of the next field of its type.',
    (field) => isProperty(field) && has(field, 'string', 'boolean', 'number', 'integer', 'array'),
    (value, place) => {
      const other = nextSibling(place);
      return other === undefined ? value : (place.holder as Json)[other];
    },
  ),
  {
    name: 'stale-field',
    description: 'A field of a response has the value of the response before.',
    variants: (api) =>
      oneOfEachField(api.shown, 'stale-field')
        .filter(([, field]) => isProperty(field) && !has(field, 'object'))
        .map(([operation, field]) =>
          variant(
            operation,
            field,
            remembering(() => {
              let known: { value: unknown } | undefined;
              return showingAs(idOf(operation), (shown) =>
                editAt(shown, field.path, (value) => {
                  const before = known;
                  known = { value };
                  return before ? before.value : value;
                }),
              );
            }),
          ),
        ),
  },
  perField(
    'lose-item',
    'A list in a response lacks its last item.',
    (field) => has(field, 'array'),
    (value) => (Array.isArray(value) ? value.slice(0, -1) : value),
  ),
  perField(
    'double-item',
    'A list in a response has its first item twice.',
    (field) => has(field, 'array'),
    (value) => (Array.isArray(value) ? [...value.slice(0, 1), ...value] : value),
  ),
  perField(
    'reverse-list',
    'A list in a response is in the opposite order.',
    (field) => has(field, 'array'),
    (value) => (Array.isArray(value) ? value.toReversed() : value),
  ),
  {
    name: 'invent-module',
    description: 'An object that is null is shown as an empty one in a response.',
    variants: (api) =>
      oneOfEachField(api.shown, 'invent-module')
        .filter(([, field]) => !isItem(field) && has(field, 'object') && has(field, 'null'))
        .map(([operation, field]) =>
          variant(
            operation,
            field,
            showingAs(idOf(operation), (shown) =>
              editAt(fillAt(shown, field.path, null), field.path, (value) => value ?? {}),
            ),
          ),
        ),
  },
];

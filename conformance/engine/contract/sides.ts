/**
 * A contract as requests and as responses see it. A property that is `readOnly` is not sent, one that is `writeOnly`
 * need not be shown, and being required binds the other side alone (OpenAPI 3.0 and 3.1, Schema Object).
 */
import { entry } from './entry.ts';
import type { Contract } from './load.ts';
import { isObject, joinPointer, objectAt, valueAt } from './pointers.ts';
import { NOT_SENT, type Shape, shapeOf } from './shape.ts';
import { Unsupported } from './unsupported.ts';

type Mark = 'readOnly' | 'writeOnly';

const requests = new WeakMap<Contract, Contract>();
const responses = new WeakMap<Contract, Contract>();

/** Without the properties that are `readOnly`; the contract itself where it has none. */
export function asRequest(contract: Contract): Contract {
  return entry(requests, contract, () => without(contract, 'readOnly'));
}

/** With those that are `writeOnly` required of nobody; the contract itself where it has none. */
export function asResponse(contract: Contract): Contract {
  return entry(responses, contract, () => without(contract, 'writeOnly'));
}

/** Whether some part of what a property must satisfy says so. */
export function isMarked(shape: Shape, mark: Mark): boolean {
  return shape.parts.some(({ schema }) => schema[mark] === true);
}

function without(contract: Contract, mark: Mark): Contract {
  const found = survey(contract.document);
  if (!found.marks.has(mark)) return contract;
  const document = structuredClone(contract.document);
  for (const pointer of found.objects) {
    for (const [place, names] of placesOf(contract, pointer, mark)) {
      const schema = objectAt(document, place);
      const required = schema['required'];
      if (Array.isArray(required)) schema['required'] = required.filter((name) => !names.includes(name as string));
      const properties = schema['properties'];
      if (mark === 'writeOnly') continue;
      schema[NOT_SENT] = names;
      if (!isObject(properties)) continue;
      // What something else refers to stays where it is: then it may be sent, too.
      for (const name of names)
        if (!found.references.has(`#${joinPointer(place, 'properties', name)}`)) delete properties[name];
    }
  }
  return { ...contract, document };
}

/** The parts of the schema at `pointer`, and the names of properties of it that are marked. */
function placesOf(contract: Contract, pointer: string, mark: Mark): [string, string[]][] {
  try {
    const shape = shapeOf(contract, pointer);
    const names = [...shape.properties].filter(([, one]) => isMarked(one, mark)).map(([name]) => name);
    return names.length === 0 ? [] : shape.parts.map((part) => [part.pointer, names]);
  } catch (error) {
    // Where the schema is needed, it is said why it cannot be tried.
    if (error instanceof Unsupported || valueAt(contract.document, pointer) === undefined) return [];
    throw error;
  }
}

interface Survey {
  marks: Set<string>;
  references: Set<string>;
  /** Where schemas of objects may stand. */
  objects: string[];
}

function survey(
  value: unknown,
  pointer = '',
  found: Survey = { marks: new Set(), references: new Set(), objects: [] },
): Survey {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, child] of Object.entries(value)) {
    if ((key === 'readOnly' || key === 'writeOnly') && child === true) found.marks.add(key);
    if (key === '$ref' && typeof child === 'string') found.references.add(child);
    survey(child, joinPointer(pointer, key), found);
  }
  if (isObject(value) && (isObject(value['properties']) || Array.isArray(value['allOf']))) found.objects.push(pointer);
  return found;
}

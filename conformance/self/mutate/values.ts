/** Small changes of JSON values. */
import type { Json } from './request.ts';

export function without(value: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Applies a change to each text in a value, names apart. */
export function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => eachText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachText(one, change)]));
}

export function unique<T>(items: T[]): T[] {
  return [...new Set(items)];
}

/** Kinds of ids, pages and orders of checks, which are options of the independent service. */
import { randomInt } from 'node:crypto';
import type { IndependentServiceOptions } from '../independent/index.ts';
import type { Group } from './kind.ts';

/** Ids of routes that count in each edge. */
function numberedInEdges(): IndependentServiceOptions {
  const next = new Map<string, number>();
  return {
    newRouteId(edgeId) {
      const count = next.get(edgeId) ?? 0;
      next.set(edgeId, count + 1);
      return String(count);
    },
  };
}

/** Ids in the order of creation. */
function numbered(idOf: (count: number) => string): IndependentServiceOptions {
  let next = 0;
  return {
    newId() {
      const id = idOf(next);
      next++;
      return id;
    },
  };
}

function inDashes(count: number): string {
  return count.toString(2).replaceAll('0', '-').replaceAll('1', '_');
}

function inCase(count: number): string {
  return count.toString(2).padStart(64, '0').replaceAll('0', 'a').replaceAll('1', 'A');
}

export const IDS: Group = {
  'ids 0, 1, 2, …': numbered(String),
  'ids of - and _': numbered(inDashes),
  'ids of 64 letters that differ in case': numbered(inCase),
  'ids of routes that count in each edge': numberedInEdges(),
  'a public URL with a path': { publicUrl: 'https://edge-api.example.com/base/v0' },
};

export const PAGES: Group = {
  'pages of one item': { mostItems: () => 1 },
  'pages of up to 100 items': { mostItems: () => 100 },
  'pages without items that lead on': { emptyPages: true },
  'pages of any size': { mostItems: () => randomInt(1, 9) },
};

export const ORDER_OF_CHECKS: Group = {
  'the rest of a request is checked before its resource': { order: 'resource last' },
  'credentials are checked last': { order: 'credentials last' },
};

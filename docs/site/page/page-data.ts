/**
 * The data that the build gives to the script of the page. Types only: the script runs in browsers.
 */

/**
 * Sources by `METHOD /path`, label of the language and name of the example, which is empty if a
 * request has no body.
 */
export type PageSamples = Record<string, Record<string, Record<string, string>>>;

export type Kind = 'section' | 'operation' | 'schema' | 'guide' | 'record';

/** A name that readers look for: an `operationId`, a parameter or a property. */
export interface Name {
  name: string;
  /** Its place, such as `circuit_breaker.num_buckets`. */
  path: string;
  description: string;
}

/** A section, guide, operation, schema or decision record. */
export interface DocsPage {
  /** Behind `#/` in the address of the page; empty for its beginning. */
  place: string;
  /** In the folder of Markdown files. */
  file: string;
  title: string;
  kind: Kind;
  /** The name of its group in the menu. */
  group: string;
  /** Markdown below the title. */
  text: string;
  names: Name[];
}

export interface PageData {
  /** The address in all samples. */
  base: string;
  samples: PageSamples;
  pages: DocsPage[];
}

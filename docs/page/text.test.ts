import { describe, expect, it } from 'vitest';
import { unwrapped } from './text.ts';

describe('unwrapped', () => {
  it('puts paragraphs and items on a line each', () => {
    expect(unwrapped('One\ntwo.\n\n- a\n  b\n- c\n\n1. x\n2. y\n')).toBe('One two.\n\n- a b\n- c\n\n1. x\n2. y\n');
  });

  it('leaves code, tables and headings alone', () => {
    const text = '## Title\n\n| a | b |\n|---|---|\n| c | d |\n\n```text\n x\n   y\n\nz\n```\n\nend\n';
    expect(unwrapped(text)).toBe(text);
  });
});

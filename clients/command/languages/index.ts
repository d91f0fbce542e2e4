import type { Language } from '../language.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { typescript } from './typescript.ts';

export const languages: readonly Language[] = [typescript, python, go, java, rust];

// A form for the arguments of a call, made from the tool's schema. What the form cannot hold is JSON text.
import { isObject } from 'rein-client';

export type FieldKind = 'text' | 'long' | 'number' | 'yes' | 'choice' | 'list' | 'json';

export interface FormField {
  name: string;
  kind: FieldKind;
  about: string;
  required: boolean;
  choices: readonly string[];
  /** As it is in the form: text, or for yes/no "true" and "". */
  value: string;
  /** The call has it. */
  given: boolean;
}

/** What cannot be read back, and in which field. */
export class FieldError extends Error {
  readonly field: string;
  constructor(field: string) {
    super(field);
    this.field = field;
  }
}

/** fieldsOf makes the fields for arguments; none: the arguments are one JSON text. */
export function fieldsOf(schema: unknown, args: unknown): FormField[] | undefined {
  if (!isObject(args) || !isObject(schema) || !isObject(schema['properties'])) return undefined;
  const properties = schema['properties'];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const names = [...Object.keys(properties), ...Object.keys(args).filter((name) => !(name in properties))];
  return names.map((name) => {
    const property = isObject(properties[name]) ? properties[name] : {};
    const value = args[name];
    const kind = kindOf(property, value);
    return {
      name,
      kind,
      about: typeof property['description'] === 'string' ? property['description'] : '',
      required: required.includes(name),
      choices: kind === 'choice' ? (property['enum'] as string[]) : [],
      value: written(kind, value),
      given: name in args,
    };
  });
}

function kindOf(property: Record<string, unknown>, value: unknown): FieldKind {
  const { type, items, enum: choices } = property;
  const fits = (check: (v: unknown) => boolean) => value === undefined || check(value);
  const isText = (v: unknown) => typeof v === 'string';
  if (Array.isArray(choices) && choices.every(isText) && fits(isText)) return 'choice';
  if (type === 'string' && fits(isText)) return isLong(value) ? 'long' : 'text';
  if ((type === 'integer' || type === 'number') && fits((v) => typeof v === 'number' || isRaw(v))) return 'number';
  if (type === 'boolean' && fits((v) => typeof v === 'boolean')) return 'yes';
  const isLines = (v: unknown) => Array.isArray(v) && v.every((one) => isText(one) && one !== '' && !(one as string).includes('\n'));
  if (type === 'array' && isObject(items) && items['type'] === 'string' && fits(isLines)) return 'list';
  return 'json';
}

const isLong = (value: unknown) => typeof value === 'string' && (value.includes('\n') || value.length > 60);

function written(kind: FieldKind, value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'list') return (value as string[]).join('\n');
  if (kind === 'yes') return value ? 'true' : '';
  if (kind === 'json' || kind === 'number') return JSON.stringify(value, null, 2);
  return String(value);
}

/** read returns the arguments that a form holds. A field that the call did not have and nobody filled in stays out. */
export function read(fields: readonly FormField[]): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.value === '' && field.kind !== 'yes' && !(field.required && (field.kind === 'text' || field.kind === 'long'))) continue;
    if (field.kind === 'yes' && field.value === '' && !field.given) continue;
    args[field.name] = valueOf(field);
  }
  return args;
}

function valueOf(field: FormField): unknown {
  switch (field.kind) {
    case 'yes':
      return field.value === 'true';
    case 'list':
      return field.value.split('\n').filter(Boolean);
    case 'number':
      return exact(field.name, field.value.trim());
    case 'json':
      return parse(field.name, field.value);
  }
  return field.value;
}

/** parse reads JSON text. */
export function parse(name: string, text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw new FieldError(name);
  }
}

// Numbers beyond 2^53 keep their digits where the browser can do it, and are refused where it cannot.
const json = JSON as typeof JSON & { rawJSON?: (text: string) => unknown; isRawJSON?: (value: unknown) => boolean };
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const isRaw = (value: unknown) => json.isRawJSON?.(value) ?? false;

/** isExact reports whether a number in JSON survives in a program that counts with doubles. */
const isExact = (source: string) => /^-?\d{1,15}$/.test(source) || String(Number(source)) === source;

function exact(name: string, source: string): unknown {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(source)) throw new FieldError(name);
  if (isExact(source)) return Number(source);
  if (!json.rawJSON) throw new FieldError(name);
  return json.rawJSON(source);
}

/** parseExactly reads JSON with all digits of its numbers. */
export function parseExactly(text: string): unknown {
  const revive: Reviver = (_, value, context) => (typeof value === 'number' && context?.source && !isExact(context.source) && json.rawJSON ? json.rawJSON(context.source) : value);
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** losesDigits reports whether a number of a value may have lost digits when it was read the usual way. */
export function losesDigits(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isSafeInteger(value) && (Number.isInteger(value) || String(value).length > 15);
  if (Array.isArray(value)) return value.some(losesDigits);
  return isObject(value) && Object.values(value).some(losesDigits);
}

/** fieldAt finds the field that an error of the server is about. */
export function fieldAt(fields: readonly FormField[], detail: string): string | undefined {
  return fields.find((f) => detail.includes(`"${f.name}"`) || detail.includes(`"${f.name}.`) || detail.includes(`"${f.name}[`) || detail.includes(`/${f.name}`))?.name;
}

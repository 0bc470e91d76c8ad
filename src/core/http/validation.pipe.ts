import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';

import { RawJson, scanJson } from '../json/index.js';
import { type ErrorDetail, InvalidRequest } from '../errors/index.js';
import { mayBeLarge, opaqueFields } from './opaque-json.js';

/** A field that is checked value by value may not have more: that would hold up the event loop. */
const MOST_VALUES = 2_000;

const PLAIN = new Set<unknown>([String, Number, Boolean, Object, Array, undefined]);

/** Whether values of a parameter of that type are checked: it is a class, whose fields say what they take. */
export function isCheckedType(type: unknown): boolean {
  return !PLAIN.has(type);
}

/** Takes bodies and queries exactly as their DTO says: an unknown field is an error. */
@Injectable()
export class StrictValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || !isCheckedType(metatype)) return value;
    checkSizes(metatype as new () => object, value ?? {});
    const dto = instanceOf(metatype as new () => object, value ?? {});
    checkNothingLost(value, dto, '');
    const errors = await validate(dto, {
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: false,
    });
    if (errors.length === 0) return dto;
    const details = errors.flatMap((error) => detailsOf(error, ''));
    throw InvalidRequest.listing(details);
  }
}

function checkSizes(type: new () => object, fields: object): void {
  const opaque = opaqueFields(type.prototype as object);
  for (const [name, field] of Object.entries(fields) as [string, unknown][]) {
    if (!isObject(field)) continue;
    const known = opaque.includes(name);
    if (
      field instanceof RawJson
        ? !known || !mayBeLarge(type.prototype as object, name)
        : !known && isMuch(field)
    ) {
      throw InvalidRequest.at(name, 'holds more values than can be taken here');
    }
  }
}

function isMuch(value: object): boolean {
  return scanJson(JSON.stringify(value)).values > MOST_VALUES;
}

/** Fields of the user's own JSON are put in as they came. */
function instanceOf(type: new () => object, value: object): object {
  const opaque = opaqueFields(type.prototype as object).filter((name) => Object.hasOwn(value, name));
  if (opaque.length === 0) return plainToInstance(type, value, { exposeUnsetFields: false });
  const fields = Object.entries(value);
  const dto = plainToInstance(type, Object.fromEntries(fields.filter(([name]) => !opaque.includes(name))), {
    exposeUnsetFields: false,
  });
  return Object.assign(dto, Object.fromEntries(fields.filter(([name]) => opaque.includes(name))));
}

/** class-transformer silently drops a field named as a member of every object, such as `constructor`. */
function checkNothingLost(given: unknown, taken: unknown, parent: string): void {
  if (given === taken || !isObject(given) || !isObject(taken)) return;
  for (const [name, value] of Object.entries(given)) {
    const path = parent === '' ? name : `${parent}.${name}`;
    if (!Object.hasOwn(taken, name)) throw InvalidRequest.at(path, 'is not a field of this request');
    checkNothingLost(value, taken[name], path);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function detailsOf(error: ValidationError, parent: string): ErrorDetail[] {
  const path = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    path,
    message:
      rule === 'whitelistValidation'
        ? 'is not a field of this request'
        : withoutName(message, error.property),
  }));
  return [...own.slice(0, 1), ...(error.children ?? []).flatMap((child) => detailsOf(child, path))];
}

/** class-validator begins its messages with the property's name, which the path says already. */
function withoutName(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

import { type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { isCheckedType, StrictValidationPipe } from './validation.pipe.js';

type Pipe = PipeTransform | Type<PipeTransform>;

interface Argument {
  index: number;
  /** The field that is taken; undefined: all of them. */
  data?: unknown;
  pipes: readonly Pipe[];
}

const CHECKED: Readonly<Record<number, string>> = {
  [RouteParamtypes.BODY]: '@Body()',
  [RouteParamtypes.QUERY]: '@Query()',
};

/**
 * The decorator of a parameter whose value nothing would check: it has no class whose fields say what they take, and no pipe,
 * neither of its own nor by `@UsePipes`. null: there is none.
 */
export function uncheckedInput(controller: Type, method: string): string | null {
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    Argument
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as unknown[];
  const handler = (controller.prototype as Record<string, object>)[method]!;
  const ofRoute = [...pipesOf(controller), ...pipesOf(handler)];
  if (ofRoute.some(checksAnything)) return null;
  for (const [key, { index, data, pipes }] of Object.entries(given)) {
    const decorator = CHECKED[Number(key.split(':')[0])];
    if (decorator === undefined || pipes.some(checksAnything)) continue;
    if (data !== undefined || !isCheckedType(types[index])) return decorator;
  }
  return null;
}

function pipesOf(target: object): Pipe[] {
  return (Reflect.getMetadata(PIPES_METADATA, target) as Pipe[] | undefined) ?? [];
}

/** The pipes for classes let everything else through. */
function checksAnything(pipe: Pipe): boolean {
  return ![ValidationPipe, StrictValidationPipe].some((one) => pipe === one || pipe instanceof one);
}

import 'reflect-metadata';

import {
  Body,
  Controller,
  Get,
  type PipeTransform,
  Query,
  type Type,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { describe, expect, it } from 'vitest';

import { uncheckedInput } from './unchecked-input.js';
import { StrictValidationPipe } from './validation.pipe.js';

interface Loose {
  name: string;
}

class Known implements PipeTransform {
  transform(value: unknown): unknown {
    return value;
  }
}

/** A route whose query is of no class, with these pipes. */
function routeWith(
  pipes: (PipeTransform | Type<PipeTransform>)[],
  of: 'method' | 'class' | 'parameter',
): Type {
  const on = (place: typeof of) => (place === of ? pipes : []);
  @Controller()
  @UsePipes(...on('class'))
  class Routes {
    @Get()
    @UsePipes(...on('method'))
    list(@Query(...on('parameter')) { name }: Loose): string {
      return name;
    }
  }
  return Routes;
}

describe('a query of no class', () => {
  it('is checked by nothing', () => {
    expect(uncheckedInput(routeWith([], 'method'), 'list')).toBe('@Query()');
    class Routes {
      @Get()
      make(@Body('name') name: string): string {
        return name;
      }
    }
    expect(uncheckedInput(Routes, 'make')).toBe('@Body()');
  });

  it.each(['method', 'class', 'parameter'] as const)('is checked by a pipe of the %s', (of) => {
    expect(uncheckedInput(routeWith([Known], of), 'list')).toBeNull();
    expect(uncheckedInput(routeWith([new Known()], of), 'list')).toBeNull();
    class More extends routeWith([Known], of) {}
    expect(uncheckedInput(More, 'list')).toBeNull();
  });

  it.each(['method', 'class', 'parameter'] as const)(
    'is not checked by a pipe for classes of the %s',
    (of) => {
      for (const pipe of [ValidationPipe, StrictValidationPipe]) {
        expect(uncheckedInput(routeWith([pipe], of), 'list')).toBe('@Query()');
        expect(uncheckedInput(routeWith([new pipe()], of), 'list')).toBe('@Query()');
      }
    },
  );
});

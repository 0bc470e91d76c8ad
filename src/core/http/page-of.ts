import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** What a list gives: `class NotePage extends PageOf(NoteDto) {}`. */
export function PageOf<Item>(item: Type<Item>): Type<{ items: Item[]; nextCursor: string | null }> {
  class Page {
    @ApiProperty({ type: [item] })
    items!: Item[];

    @ApiProperty({ type: String, nullable: true })
    nextCursor!: string | null;
  }
  return Page;
}

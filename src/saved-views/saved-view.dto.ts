import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Length } from 'class-validator';

import { IfGiven, IsLine, PageOf, PatchOf } from '../core/http/index.js';
import { VIEWED_LISTS, type ViewedList } from './saved-view.entity.js';

const LIST = { enum: VIEWED_LISTS, enumName: 'ViewedList' };
const MOST_SEARCH = 2000;

export class SavedViewInput {
  /** Which list it filters. */
  @ApiProperty(LIST)
  @IsIn(VIEWED_LISTS)
  list: ViewedList;

  /** Unique among what one sees of the list. */
  @ApiProperty({ minLength: 1, maxLength: 60, example: 'Failed today' })
  @Length(1, 60)
  @IsLine()
  name: string;

  /** The filter, as the console has it in its address after the question mark. */
  @ApiProperty({ minLength: 1, maxLength: MOST_SEARCH, example: 'status=failed&since=day' })
  @Length(1, MOST_SEARCH)
  @IsLine()
  @IsString()
  search: string;

  /** For everyone in the workspace. Default: for oneself. */
  @IsBoolean()
  @IfGiven()
  shared?: boolean;
}

export class SavedViewPatch extends PatchOf(SavedViewInput, ['name', 'search']) {}

export class SavedViewDto {
  id: string;

  @ApiProperty(LIST)
  list: ViewedList;

  name: string;

  /** The filter, as the console has it in its address after the question mark. */
  search: string;

  /** For everyone in the workspace; false: for the caller alone. */
  shared: boolean;

  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;
}

export class SavedViewPage extends PageOf(SavedViewDto) {}

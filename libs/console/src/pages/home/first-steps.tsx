import type { Script } from '@gatehouse/client/operations';
import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

import { usePlace } from '../../app/use-place.js';
import classes from './first-steps.module.css';

const SCRIPTS = '/w/$workspace/$environment/scripts';

interface Step {
  title: string;
  text: string;
  button: string;
  link: LinkProps;
}

/** What to do in a workspace in which nothing has run yet. */
export function FirstSteps({ script }: { script: Script | null }) {
  const place = usePlace();
  const ofScript = { ...place, slug: script?.slug ?? '' };
  const published = script?.status === 'published';
  const steps: Step[] = [
    {
      title: 'Write a script',
      text: 'Begin from a template, drop a folder, or paste a file. It is tried beside the editor.',
      button: script === null ? 'New script' : 'Publish it',
      link:
        script === null
          ? { to: `${SCRIPTS}/new`, params: place }
          : { to: `${SCRIPTS}/$slug/versions`, params: ofScript },
    },
    {
      title: 'Run it',
      text: 'Its inputs are a form, and what it prints and returns is kept.',
      button: 'Run it',
      link: script ? { to: `${SCRIPTS}/$slug`, params: ofScript } : { to: SCRIPTS, params: place },
    },
    {
      title: 'Let it run by itself',
      text: 'By a schedule, when something happens, or when another service sends a request.',
      button: 'Make a schedule',
      link: script
        ? { to: `${SCRIPTS}/$slug/schedules/new`, params: ofScript }
        : { to: SCRIPTS, params: place },
    },
  ];
  const current = published ? 1 : 0;
  return (
    <Paper withBorder p="lg" component="section" aria-label="First steps">
      <Stack>
        <div>
          <Title order={2}>Three steps to the first run</Title>
          <Text size="sm" c="dimmed">
            This page then tells how things are going.
          </Text>
        </div>
        <ol className={classes['steps']}>
          {steps.map(({ title, text, button, link }, index) => (
            <li
              key={title}
              className={classes['step']}
              data-done={index < current || undefined}
              aria-current={index === current ? 'step' : undefined}
            >
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed">
                {index < current ? 'Done.' : text}
              </Text>
              {index === current && (
                <Button mt="xs" w="fit-content" renderRoot={(props) => <Link {...link} {...props} />}>
                  {button}
                </Button>
              )}
            </li>
          ))}
        </ol>
      </Stack>
    </Paper>
  );
}

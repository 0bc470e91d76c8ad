<?php
// PHP 8 or newer, nothing to install: WEBHOOK_SECRET=whsec_… php -S 0.0.0.0:8080 verify.php

const FIVE_MINUTES = 300;

function verify(string $key, string $body): array
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (abs(time() - (int) $timestamp) > FIVE_MINUTES) {
        throw new RuntimeException('The timestamp is missing or too old.');
    }

    $signed = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($signed);
    // There is more than one for a day after the secret was rotated.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('No signature fits.');
}

$secret = (string) getenv('WEBHOOK_SECRET');
if (!str_starts_with($secret, 'whsec_')) {
    throw new RuntimeException('WEBHOOK_SECRET is not a signing secret.');
}
$key = base64_decode(substr($secret, strlen('whsec_')));
try {
    // The bytes as they came: JSON that was parsed and written again has another signature.
    $event = verify($key, file_get_contents('php://input'));
    error_log("{$event['id']} {$event['type']}");
    http_response_code(204);
} catch (Throwable $error) {
    http_response_code(401);
    echo $error->getMessage();
}

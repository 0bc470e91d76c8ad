# Needs the gems rackup and webrick. Keep it as config.ru: WEBHOOK_SECRET=whsec_… rackup -p 8080
require "json"
require "openssl"

KEY = ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")
FIVE_MINUTES = 300

def verify(env, body)
  id, timestamp = env.values_at("HTTP_WEBHOOK_ID", "HTTP_WEBHOOK_TIMESTAMP")
  age = (Time.now.to_i - timestamp.to_i).abs
  raise "The timestamp is missing or too old." if age > FIVE_MINUTES

  signed = OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.".b + body.b)
  expected = "v1," + [signed].pack("m0")
  # There is more than one for a day after the secret was rotated.
  given = env.fetch("HTTP_WEBHOOK_SIGNATURE", "").split
  raise "No signature fits." unless given.any? { |one| OpenSSL.secure_compare(expected, one) }

  JSON.parse(body)
end

run(lambda do |env|
  # The bytes as they came: JSON that was parsed and written again has another signature.
  event = verify(env, env["rack.input"].read)
  puts event.values_at("id", "type", "data").inspect
  [204, {}, []]
rescue StandardError => error
  [401, { "content-type" => "text/plain" }, [error.message]]
end)

/**
 * Created for these tests, valid for `localhost` until 2125 and trusted by nobody. Self-signed, so it is its own
 * authority.
 */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUS8IZGFTtPdraMHjrQPbgh9ybni4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExMzEwMVoYDzIxMjYxMDI4
MTEzMTAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASqMNZVoYb2+oqUT4BgiBlLpWbQHT4xdp0XM5WTOOKzgDr8aNvn8MTl
Lg41pLoTmVnD2buOxgJNYlTGc5nYk3MBo2kwZzAdBgNVHQ4EFgQUxikLYz9Yqa90
updfkaO96rRidvwwHwYDVR0jBBgwFoAUxikLYz9Yqa90updfkaO96rRidvwwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhAJaVgRUrcoLRR0YYxkLMz3pUqu0PhQUd/pikwEouV7L5AiACCcbumiba
b9wIBHbvkLhUnVULbyzPut3bUdF7F7Z1KQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbzfSqaIhtic7I2HR
UF0Bm9iDIYg04Y2CkfNfTpHMdLihRANCAASqMNZVoYb2+oqUT4BgiBlLpWbQHT4x
dp0XM5WTOOKzgDr8aNvn8MTlLg41pLoTmVnD2buOxgJNYlTGc5nYk3MB
-----END PRIVATE KEY-----`,
}

/**
 * What a command may know of our environment: a list of names, never everything but a list. A variable nobody thought of
 * may hold a key, and some of these hold a password when they contain one.
 */
export function childEnvironment(parent: Record<string, string | undefined>): Record<string, string> {
  const environment: Record<string, string> = { TERM: 'dumb' }
  for (const name of PASSED) {
    const value = parent[name]
    if (value !== undefined) environment[name] = value
  }
  for (const name of PASSED_WITHOUT_PASSWORD) {
    const value = parent[name]
    if (value !== undefined && !value.includes('@')) environment[name] = value
  }
  return environment
}

const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE'],
  ...['LC_ALL', 'LC_ADDRESS', 'LC_COLLATE', 'LC_CTYPE', 'LC_IDENTIFICATION', 'LC_MEASUREMENT', 'LC_MESSAGES'],
  ...['LC_MONETARY', 'LC_NAME', 'LC_NUMERIC', 'LC_PAPER', 'LC_TELEPHONE', 'LC_TIME'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['JAVA_HOME', 'GOROOT', 'GOPATH', 'CARGO_HOME', 'RUSTUP_HOME', 'NVM_DIR', 'PYENV_ROOT', 'VIRTUAL_ENV'],
  ...['CONDA_PREFIX', 'ANDROID_HOME', 'DOTNET_ROOT'],
  // Windows programs do not start without these.
  ...['SystemRoot', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
]

const PASSED_WITHOUT_PASSWORD = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
]

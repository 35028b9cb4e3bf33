package io.sdds.cli.chaos;

import java.io.IOException;

/** Signals that pause and resume processes. */
enum Signal {
    STOP,
    CONT;

    void to(long pid) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                .redirectErrorStream(true)
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name() + " " + pid + " ended with code " + code);
        }
    }
}

package io.sdds.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClientProcessTest {
    /** More than a reader takes at once, less than a pipe holds. */
    private static final int EVENTS = 800;

    private static final String TELLS = "i=1; while [ $i -le " + EVENTS
            + " ]; do echo \"b $i PUT k0.1 1.$i - 10\"; i=$((i+1)); done; echo told >&2; exec sleep 600";

    @Test
    @Timeout(60)
    void whatAClientHadToldWhenItWasKilledIsTaken() throws IOException, InterruptedException {
        Recorder recorder = new Recorder(null);
        Process process = new ProcessBuilder("sh", "-c", TELLS).start();
        ClientProcess client = new ClientProcess(1, process, recorder);
        synchronized (recorder) { // nobody reads meanwhile
            process.errorReader().readLine();
            client.kill();
            process.waitFor();
        }
        client.askToEnd();
        client.awaitEnd(TimeUnit.SECONDS.toMillis(50));
        assertThat(recorder.counts().unknown()).isEqualTo(EVENTS);
    }
}

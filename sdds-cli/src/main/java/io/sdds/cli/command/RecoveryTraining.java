package io.sdds.cli.command;

import io.sdds.brick.shell.BrickProcess;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.coordinator.shell.CoordinatorProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Training of the code that runs when a brick is lost: a table with parity loses a brick while it is read, and recovers
 * on another brick. Bricks run this code so rarely that it would run slowly just when requests wait for it.
 */
final class RecoveryTraining {
    private static final long PATIENCE_SECONDS = 30;
    private static final int BRICKS = 4;
    private static final int RECORDS = 20_000;
    private static final int BATCH = 1_000;
    private static final int VALUE_BYTES = 150;
    private static final String TABLE = "recovery";
    private static final TableOptions OPTIONS =
            TableOptions.builder().parity(2, 1).partitions(8).build();

    private final Path directory;
    private final List<BrickProcess> bricks = new ArrayList<>();

    /** @param directory for the files of the coordinator */
    RecoveryTraining(Path directory) {
        this.directory = directory;
    }

    void run() throws IOException, InterruptedException, ExecutionException, TimeoutException {
        try (CoordinatorProcess coordinator =
                CoordinatorProcess.start(TrainingCommand.coordinator(directory, "r1", TrainingCommand.ANY_PORT, null)
                        .config())) {
            coordinator.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            startBricks(coordinator.address());
            try (SddsClient client = SddsClient.connect(coordinator.address())) {
                HashTable<String, byte[]> table = client.createHashTable(TABLE, OPTIONS, Codec.utf8(), Codec.bytes());
                List<List<String>> batches = fill(table);
                bricks.removeFirst().close();
                read(client, table, batches);
            }
        } finally {
            bricks.forEach(BrickProcess::close);
        }
    }

    private void startBricks(String coordinator)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        for (int k = 0; k < BRICKS; k++) {
            BrickProcess brick = BrickProcess.start(
                    TrainingCommand.brick("b" + k, coordinator).config());
            bricks.add(brick);
            brick.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static List<List<String>> fill(HashTable<String, byte[]> table) {
        List<List<String>> batches = new ArrayList<>();
        for (int from = 0; from < RECORDS; from += BATCH) {
            Map<String, byte[]> records = new HashMap<>();
            for (int k = from; k < from + BATCH; k++) {
                records.put("key" + k, new byte[VALUE_BYTES]);
            }
            table.putAll(records);
            batches.add(List.copyOf(records.keySet()));
        }
        return batches;
    }

    /** Reads until the table has lost nothing any more. */
    private static void read(SddsClient client, HashTable<String, byte[]> table, List<List<String>> batches) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        boolean lost = false;
        for (int k = 0; System.nanoTime() < deadline; k++) {
            try {
                table.getAll(batches.get(k % batches.size()));
            } catch (SddsException e) {
                // The brick that was closed is not replaced yet.
            }
            TableInfo.Health health = client.tables().getFirst().health();
            lost |= health.canLose() == 0;
            if (lost && health.canLose() > 0) {
                return;
            }
        }
    }
}

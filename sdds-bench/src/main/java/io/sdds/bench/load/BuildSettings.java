package io.sdds.bench.load;

import io.sdds.client.TableOptions;

/**
 * How a table is built: by clients that insert record after record until all are in.
 *
 * @param table its name; made, and dropped again
 * @param options of the table
 * @param clients each with its own connections and its own image of the table
 * @param pipeline inserts each keeps outstanding; 1 is what the clients of LH*LH did
 * @param records inserted by all clients together, each once
 * @param valueBytes length of each value
 */
public record BuildSettings(
        String table, TableOptions options, int clients, int pipeline, int records, int valueBytes) {

    public static final int CLIENTS_MAX = 64;

    public BuildSettings {
        if (clients < 1 || clients > CLIENTS_MAX) {
            throw new IllegalArgumentException("clients of " + clients + " is not within 1 to " + CLIENTS_MAX);
        }
        if (records < clients || records > LoadSettings.KEYS_MAX) {
            throw new IllegalArgumentException(
                    "records of " + records + " is not within " + clients + " to " + LoadSettings.KEYS_MAX);
        }
    }

    /** What each client does. */
    LoadSettings load() {
        return LoadSettings.defaults()
                .withMode(LoadMode.WRITE)
                .withServices(1, pipeline)
                .withRecords(records, valueBytes);
    }
}

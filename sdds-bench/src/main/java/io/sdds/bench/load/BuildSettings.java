package io.sdds.bench.load;

import io.sdds.client.TableOptions;

/**
 * Settings of the build of a table by clients that insert records.
 *
 * @param table name of the table, which is created and dropped
 * @param options options of the table
 * @param clients number of clients, each with its own connections and its own image of the table
 * @param pipeline outstanding inserts of each client; the clients of LH*LH had 1
 * @param records number of records that all clients together insert, each record once
 * @param valueBytes length of each value
 */
public record BuildSettings(
        String table, TableOptions options, int clients, int pipeline, int records, int valueBytes) {

    public static final int CLIENTS_MAX = 64;

    public BuildSettings {
        Settings.requireWithin("clients", clients, 1, CLIENTS_MAX);
        Settings.requireWithin("records", records, clients, LoadSettings.KEYS_MAX);
    }

    /** Load settings of each client. */
    LoadSettings load() {
        return LoadSettings.defaults()
                .withMode(LoadMode.WRITE)
                .withServices(1, pipeline)
                .withRecords(records, valueBytes);
    }
}

/** The API for applications: clients, tables, scans, codecs, errors. */
@NullMarked
package io.sdds.client;

import org.jspecify.annotations.NullMarked;
